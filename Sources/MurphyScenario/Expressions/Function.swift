import MurphyModel
import MurphySchema

/// The functions of expressions. Adding one here adds it to the language, its schema and its messages.
package enum Function: String, Sendable, Hashable, CaseIterable {
  case uuid, pick, sample, shuffle, int, float, digits, string, words, email
  case now, seq
  case base64, lower, upper, trim, length, text, number, json, join, split, replace, slice
  case count, first, last, contains, unique, sorted, reversed, sum, coalesce = "default"
  case round, floor, ceil, abs, min, max

  /// The allowed number of arguments.
  var arity: ClosedRange<Int> { row.arity }

  /// Its notation, for messages.
  var usage: String { row.usage }

  /// For the reference of the language.
  var summary: String { row.summary }

  private var row: (arity: ClosedRange<Int>, usage: String, summary: String) {
    switch self {
    case .uuid: (0...0, "uuid()", "a random UUID (RFC 9562 version 4), which is different in each run")
    case .pick: (1...1, "pick(list)", "one random item of the list")
    case .sample: (2...2, "sample(list, n)", "a list of n different random items of the list")
    case .shuffle: (1...1, "shuffle(list)", "all items of the list in random order")
    case .int: (2...2, "int(low, high)", "a random whole number from low to high, including both")
    case .float: (2...2, "float(low, high)", "a random number from low to high")
    case .digits: (1...1, "digits(n)", "a string of n random digits")
    case .string:
      (
        1...2, "string(n) or string(shortest, longest)",
        "a string of random letters and digits, with n characters or a random length from shortest to longest"
      )
    case .words:
      (
        1...2, "words(n) or words(fewest, most)",
        "a string of n random English words, or of a random number of words from fewest to most"
      )
    case .email: (0...0, "email()", "a random email address at example.com, which is different in each run")
    case .now:
      (
        0...2, "now(), now(format) or now(format, \"+2h\")",
        "the current time as an RFC 3339 string, or in the format iso, date, time, http, s, ms or us; +2h adds two "
          + "hours"
      )
    case .seq:
      (0...0, "seq()", "a number that no other call in the run returns, such as 1, 2, 3 … in the first session")
    case .base64: (1...1, "base64(text)", "the string in base64 (RFC 4648 §4)")
    case .lower: (1...1, "lower(text)", "the string in lower case")
    case .upper: (1...1, "upper(text)", "the string in upper case")
    case .trim: (1...1, "trim(text)", "the string without leading and trailing white space")
    case .length: (1...1, "length(text)", "the number of characters of a string, or of items of a list")
    case .text: (1...1, "text(value)", "the value as a string")
    case .number: (1...1, "number(text)", "the number that a string contains")
    case .json: (1...1, "json(value)", "a string that contains the value as JSON")
    case .join: (2...2, "join(list, separator)", "one string of all items, with the separator between them")
    case .split: (2...2, "split(text, separator)", "a list of the parts of the string between the separators")
    case .replace: (3...3, "replace(text, old, new)", "the string, with new instead of every old")
    case .slice:
      (
        2...3, "slice(value, begin) or slice(value, begin, end)",
        "the part of a string or list from index begin up to, but not including, end (or to the end of the value); the "
          + "first index is 0, and a negative index counts from the end"
      )
    case .count: (1...1, "count(list)", "the number of items in a list, or of fields in an object")
    case .first: (1...1, "first(list)", "the first item of the list")
    case .last: (1...1, "last(list)", "the last item of the list")
    case .contains: (2...2, "contains(list, value)", "true if the list or string contains the value")
    case .unique: (1...1, "unique(list)", "the items of the list without duplicates")
    case .sorted: (1...1, "sorted(list)", "the items of the list in ascending order")
    case .reversed: (1...1, "reversed(list)", "the items of the list in reverse order")
    case .sum: (1...1, "sum(list)", "the sum of the numbers in the list")
    case .coalesce: (2...2, "default(value, otherwise)", "the value, or otherwise if the value is null or missing")
    case .round: (1...1, "round(number)", "the number, rounded to the nearest whole number")
    case .floor: (1...1, "floor(number)", "the number, rounded down to a whole number")
    case .ceil: (1...1, "ceil(number)", "the number, rounded up to a whole number")
    case .abs: (1...1, "abs(number)", "the absolute value of the number")
    case .min: (1...16, "min(a, b, …)", "the smallest of the numbers")
    case .max: (1...16, "max(a, b, …)", "the largest of the numbers")
    }
  }

  /// True if it takes values of the random stream.
  package var draws: Bool {
    switch self {
    case .uuid, .pick, .sample, .shuffle, .int, .float, .digits, .string, .words, .email: true
    default: false
    }
  }

  /// True if its value comes from the running session, not from its arguments.
  package var dependsOnRun: Bool { self == .now || self == .seq }

  /// True if the argument may be written as a bare word.
  package func takesWord(at argument: Int) -> Bool { self == .now && argument == 0 }

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
      guard let best else { throw .outOfRange("\(rawValue)() needs a list with items; found an empty list") }
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

  /// The functions of lists.
  func readList(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    switch self {
    case .count:
      if case .object(let object) = arguments[0] { return JSONValue(object.count) }
      return JSONValue(try list(arguments[0]).count)
    case .first, .last:
      let elements = try list(arguments[0])
      guard let element = self == .first ? elements.first : elements.last else {
        throw .outOfRange("\(rawValue)() needs a list with items; found an empty list")
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

  /// Numbers by size or strings by code point, in ascending order.
  private func ascending(_ elements: [JSONValue]) throws(EvaluationError) -> [JSONValue] {
    let numbers = elements.compactMap(\.number)
    if numbers.count == elements.count { return numbers.sorted().map { .number($0) } }
    let texts = elements.compactMap(\.string)
    if texts.count == elements.count { return texts.sorted().map { .string($0) } }
    let odd = elements.first { $0.number == nil && $0.string == nil } ?? elements[0]
    throw .wrongType("sorted() needs a list of only numbers or only strings; the list contains \(odd.brief)")
  }

  /// `slice(value, begin, end)` of a list or a string; negative places count from the end, as in JSONPath.
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
      guard !elements.isEmpty else { throw .outOfRange("pick() needs a list with items; found an empty list") }
      return elements[random.index(below: elements.count)]
    case .shuffle: return .array(Self.drawn(try list(arguments[0]), nil, &random))
    case .sample:
      let elements = try list(arguments[0])
      return .array(Self.drawn(elements, try whole(arguments[1], 0...Expression.longestList), &random))
    case .int: return try wholeNumber(arguments, &random)
    case .float:
      guard let low = arguments[0].double, let high = arguments[1].double, low <= high else {
        throw .outOfRange("float() needs two numbers, with the lower number first")
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
      throw .outOfRange("int() needs two whole numbers, with the lower number first")
    }
    let (span, overflow) = high.subtractingReportingOverflow(low)
    guard !overflow, span < Int.max else { throw .outOfRange("the range of int() contains more than 2⁶³ − 1 numbers") }
    return JSONValue(low + random.index(below: span + 1))
  }

  /// `n`, or a number generated between two.
  private func size(
    _ arguments: [JSONValue], most: Int, _ random: inout RandomSource
  ) throws(EvaluationError) -> Int {
    let low = try whole(arguments[0], 0...most)
    guard arguments.count > 1 else { return low }
    let high = try whole(arguments[1], 0...most)
    guard low <= high else { throw .outOfRange("the first number of \(rawValue)() must not be larger than the second") }
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

  /// The words of generated text.
  private static let vocabulary = [
    "anything", "that", "can", "go", "wrong", "will", "at", "the", "worst", "possible", "moment", "toast", "always",
    "lands", "buttered", "side", "down", "queue", "other", "moves", "faster", "computer", "waits", "until", "deadline",
    "umbrella", "forgotten", "rain", "keys", "pocket", "last", "searched", "screw", "rolls", "under", "machine",
  ]
}
