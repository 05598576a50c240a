import MurphyJSON
import MurphyModel

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
