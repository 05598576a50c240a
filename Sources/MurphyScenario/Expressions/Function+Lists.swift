import MurphyJSON

extension Function {
  /// `count`, `first`, `last`, `contains`, `join`, `slice`.
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
    default: return try sliced(arguments)
    }
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
