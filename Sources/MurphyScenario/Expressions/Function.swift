import MurphyJSON
import MurphyModel

/// The functions of expressions. Adding one here adds it to the language, its schema and its messages.
package enum Function: String, Sendable, Hashable, CaseIterable {
  case uuid, pick, sample, shuffle, int, float, digits, string, words, email
  case now, seq
  case base64, lower, upper, trim, length, text, number, json, join, split, replace, slice
  case count, first, last, contains, unique, sorted, reversed, sum, coalesce = "default"
  case round, floor, ceil, abs, min, max

  /// How many arguments it takes.
  package var arity: ClosedRange<Int> {
    switch self {
    case .uuid, .email, .seq: 0...0
    case .pick, .shuffle, .digits, .base64, .lower, .upper, .trim, .length, .text, .number, .json, .count,
      .first, .last, .unique, .sorted, .reversed, .sum, .round, .floor, .ceil, .abs:
      1...1
    case .string, .words: 1...2
    case .sample, .int, .float, .join, .split, .contains, .coalesce: 2...2
    case .slice: 2...3
    case .replace: 3...3
    case .now: 0...2
    case .min, .max: 1...16
    }
  }

  /// Whether it takes values of the random stream.
  package var draws: Bool {
    switch self {
    case .uuid, .pick, .sample, .shuffle, .int, .float, .digits, .string, .words, .email: true
    default: false
    }
  }

  /// Whether its value comes from the running session rather than from its arguments.
  package var dependsOnRun: Bool { self == .now || self == .seq }

  /// Which arguments may be written as bare words.
  package func takesWord(at argument: Int) -> Bool { self == .now && argument == 0 }

  /// As it is written, for messages.
  package var usage: String {
    switch self {
    case .uuid: "uuid()"
    case .pick: "pick(list)"
    case .sample: "sample(list, n)"
    case .shuffle: "shuffle(list)"
    case .int: "int(low, high)"
    case .float: "float(low, high)"
    case .digits: "digits(n)"
    case .string: "string(n) or string(shortest, longest)"
    case .words: "words(n) or words(fewest, most)"
    case .email: "email()"
    case .now: "now(), now(format) or now(format, \"+2h\")"
    case .seq: "seq()"
    case .base64: "base64(text)"
    case .lower: "lower(text)"
    case .upper: "upper(text)"
    case .trim: "trim(text)"
    case .length: "length(text)"
    case .text: "text(value)"
    case .number: "number(text)"
    case .json: "json(value)"
    case .join: "join(list, separator)"
    case .split: "split(text, separator)"
    case .replace: "replace(text, old, new)"
    case .slice: "slice(value, begin) or slice(value, begin, end)"
    case .count: "count(list)"
    case .first: "first(list)"
    case .last: "last(list)"
    case .contains: "contains(list, value)"
    case .unique: "unique(list)"
    case .sorted: "sorted(list)"
    case .reversed: "reversed(list)"
    case .sum: "sum(list)"
    case .coalesce: "default(value, otherwise)"
    case .round: "round(number)"
    case .floor: "floor(number)"
    case .ceil: "ceil(number)"
    case .abs: "abs(number)"
    case .min: "min(a, b, …)"
    case .max: "max(a, b, …)"
    }
  }
}

extension Function {
  /// `round`, `floor`, `ceil`, `abs`, `min`, `max`; the last two also of one list.
  func compute(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    switch self {
    case .min, .max:
      let values = arguments.count == 1 ? try list(arguments[0]) : arguments
      var best: JSONValue?
      for value in values {
        guard let number = value.double else { throw .wrongType("\(rawValue)() needs numbers; found \(value.brief)") }
        guard let known = best?.double else {
          best = value
          continue
        }
        if self == .min ? number < known : number > known { best = value }
      }
      guard let best else { throw .outOfRange("\(rawValue)() of an empty list") }
      return best
    default:
      guard let number = arguments[0].double else {
        throw .wrongType("\(rawValue)() needs a number; found \(arguments[0].brief)")
      }
      switch self {
      case .round: return JSONValue(number.rounded())
      case .floor: return JSONValue(number.rounded(.down))
      case .ceil: return JSONValue(number.rounded(.up))
      default: return JSONValue(number.magnitude)
      }
    }
  }
}

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

extension Function {
  /// The functions that take values of the stream.
  func draw(
    _ arguments: [JSONValue], _ scope: inout Scope, _ random: inout RandomSource
  ) throws(EvaluationError) -> JSONValue {
    switch self {
    case .uuid: return .string(scope.unique.draw { random.uuid(salt: $0) })
    case .email:
      return .string(
        scope.unique.draw { "\(Self.letters(UniqueValues.shortestString, salt: $0, &random))@example.com" })
    case .pick:
      let elements = try list(arguments[0])
      guard !elements.isEmpty else { throw .outOfRange("pick() of an empty list") }
      return elements[random.index(below: elements.count)]
    case .shuffle: return .array(Self.drawn(try list(arguments[0]), nil, &random))
    case .sample:
      let elements = try list(arguments[0])
      return .array(Self.drawn(elements, try whole(arguments[1], 0...Expression.longestList), &random))
    case .int: return try wholeNumber(arguments, &random)
    case .float:
      guard let low = arguments[0].double, let high = arguments[1].double, low <= high else {
        throw .outOfRange("float() needs two numbers, the lower one first")
      }
      return JSONValue(low + (high - low) * random.unit())
    case .digits:
      let count = try whole(arguments[0], 0...10_000)
      return .string(String(decoding: (0..<count).map { _ in UInt8(48 + random.index(below: 10)) }, as: UTF8.self))
    case .string:
      let count = try size(arguments, most: 100_000, &random)
      guard count >= UniqueValues.shortestString else { return .string(Self.letters(count, &random)) }
      return .string(scope.unique.draw { Self.letters(count, salt: $0, &random) })
    default:
      let count = try size(arguments, most: 10_000, &random)
      return .string(
        (0..<count).map { _ in Self.vocabulary[random.index(below: Self.vocabulary.count)] }
          .joined(separator: " "))
    }
  }

  /// Both ends included.
  private func wholeNumber(_ arguments: [JSONValue], _ random: inout RandomSource) throws(EvaluationError) -> JSONValue
  {
    guard let low = arguments[0].int, let high = arguments[1].int, low <= high else {
      throw .outOfRange("int() needs two whole numbers, the lower one first")
    }
    let (span, overflow) = high.subtractingReportingOverflow(low)
    guard !overflow, span < Int.max else { throw .outOfRange("int() spans at most 2⁶³ − 1 numbers") }
    return JSONValue(low + random.index(below: span + 1))
  }

  /// `n`, or one drawn between two.
  private func size(
    _ arguments: [JSONValue], most: Int, _ random: inout RandomSource
  ) throws(EvaluationError) -> Int {
    let low = try whole(arguments[0], 0...most)
    guard arguments.count > 1 else { return low }
    let high = try whole(arguments[1], 0...most)
    guard low <= high else { throw .outOfRange("\(rawValue)() needs the lower number first") }
    return low + random.index(below: high - low + 1)
  }

  private static func letters(_ count: Int, salt: UInt64? = nil, _ random: inout RandomSource) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var pad = salt.map { RandomSource(seed: $0) }
    let letters = (0..<count).map { _ in
      let place = random.index(below: alphabet.count) + (pad?.index(below: alphabet.count) ?? 0)
      return alphabet[place % alphabet.count]
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The first `count` places of a Fisher-Yates shuffle.
  private static func drawn(_ elements: [JSONValue], _ count: Int?, _ random: inout RandomSource) -> [JSONValue] {
    var elements = elements
    let wanted = Swift.min(count ?? elements.count, elements.count)
    for place in 0..<wanted {
      elements.swapAt(place, place + random.index(below: elements.count - place))
    }
    return Array(elements.prefix(wanted))
  }

  /// For texts that look like texts.
  private static let vocabulary = [
    "anything", "that", "can", "go", "wrong", "will", "at", "the", "worst", "possible", "moment", "toast", "always",
    "lands", "buttered", "side", "down", "queue", "other", "moves", "faster", "computer", "waits", "until", "deadline",
    "umbrella", "forgotten", "rain", "keys", "pocket", "last", "searched", "screw", "rolls", "under", "machine",
  ]
}
