import MurphyJSON

extension Function {
  /// The functions of lists.
  func readList(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    switch self {
    case .count:
      if case .object(let object) = arguments[0] { return JSONValue(object.count) }
      return JSONValue(try list(arguments[0]).count)
    case .first, .last:
      let elements = try list(arguments[0])
      guard let element = self == .first ? elements.first : elements.last else {
        throw .outOfRange("\(rawValue)() of an empty list")
      }
      return element
    case .contains:
      if case .string(let text) = arguments[0] { return .bool(text.contains(arguments[1].interpolated)) }
      return .bool(try list(arguments[0]).contains(arguments[1]))
    case .join:
      let elements = try list(arguments[0]).map(\.interpolated)
      let separator = try text(arguments[1])
      let size = elements.reduce(0) { $0 + $1.utf8.count + separator.utf8.count }
      guard size <= Expression.longestText else { throw Expression.tooLong }
      return .string(elements.joined(separator: separator))
    case .unique:
      var seen: Set<JSONValue> = []
      return .array(try list(arguments[0]).filter { seen.insert($0).inserted })
    case .sorted: return .array(try ascending(try list(arguments[0])))
    case .reversed: return .array(try list(arguments[0]).reversed())
    case .sum:
      var total: JSONValue = 0
      for element in try list(arguments[0]) {
        guard case .number = element else { throw .wrongType("sum() needs numbers; found \(element.brief)") }
        total = try Arithmetic.add(total, element)
      }
      return total
    default: return try sliced(arguments)
    }
  }

  /// Numbers by size or texts by code point, the least first.
  private func ascending(_ elements: [JSONValue]) throws(EvaluationError) -> [JSONValue] {
    let numbers = elements.compactMap(\.number)
    if numbers.count == elements.count { return numbers.sorted().map { .number($0) } }
    let texts = elements.compactMap(\.string)
    if texts.count == elements.count { return texts.sorted().map { .string($0) } }
    let odd = elements.first { $0.number == nil && $0.string == nil } ?? elements[0]
    throw .wrongType("sorted() needs a list of numbers or a list of texts; found \(odd.brief) in it")
  }

  /// `slice(value, begin, end)` of a list or a text; negative places count from the end, as in JSONPath.
  private func sliced(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    let bound = -Expression.longestText...Expression.longestText
    let begin = try whole(arguments[1], bound)
    let end = arguments.count > 2 ? try whole(arguments[2], bound) : nil
    func range(_ count: Int) -> Range<Int> {
      func place(_ index: Int) -> Int { Swift.min(Swift.max(index < 0 ? count + index : index, 0), count) }
      let low = place(begin)
      return low..<Swift.max(end.map(place) ?? count, low)
    }
    if case .string(let text) = arguments[0] {
      let characters = Array(text)
      return .string(String(characters[range(characters.count)]))
    }
    let elements = try list(arguments[0])
    return .array(Array(elements[range(elements.count)]))
  }
}
