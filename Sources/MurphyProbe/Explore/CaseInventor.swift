import MurphyContract
import MurphyModel
import MurphySchema

/// Random cases of one operation. Each depends only on the seed and its number.
struct CaseInventor {
  private let cases: OperationCases
  private let singles: [ExploreCase]
  private let seed: UInt64

  /// - Parameter all: the planned cases around the base.
  init(_ cases: OperationCases, _ all: [ExploreCase], seed: UInt64) {
    (self.cases, singles, self.seed) = (cases, all, seed &+ UInt64(cases.call.operation))
  }

  /// Changes of planned cases in one request, new values at their places, or both; nil if there are too few.
  func invention(_ number: Int) -> ExploreCase? {
    var random = RandomSource(seed: seed, stream: UInt64(number))
    if number < ExploreSchedule.plannedInventions { return drawn(singles, &random) }
    var varied: [ExploreCase] = []
    for _ in 0..<4 {
      if let one = singles.randomElement(using: &random) { varied.append(cases.varied(one, &random) ?? one) }
    }
    guard random.next() % 2 == 0, let one = varied.first(where: { $0.category == .random }) else {
      return drawn(varied, &random)
    }
    return one
  }

  private func drawn(_ cases: [ExploreCase], _ random: inout RandomSource) -> ExploreCase? {
    var pairs = CasePairs(cases, base: self.cases.base, seed: random.next())
    return pairs.drawn()
  }
}

extension OperationCases {
  /// The case with another random value at its place; nil if its place has no value.
  func varied(_ one: ExploreCase, _ random: inout RandomSource) -> ExploreCase? {
    guard one.call.isPlain, one.call.caller == .own, !one.call.isOffContract, let value = one.value else { return nil }
    let new = value.varied(&random)
    let broken: [ContractViolation]
    let change: (inout ExploreCall) -> Void
    if one.place.hasPrefix("body /"), let pointer = JSONPointer(String(one.place.dropFirst(5))),
      let body = one.call.body?.replacing(at: pointer.tokens[...], with: new), let media = one.call.mediaType
    {
      broken = check.mistakes(operation: call.operation, body: body, contentType: media)
      change = { $0.change(body: body, at: pointer) }
    } else if let parameter = operation.parameters.first(where: { "\($0.location.rawValue) \($0.name)" == one.place }),
      new.scalarText != nil, parameter.canCarry(new)
    {
      broken = check.mistakes(operation: call.operation, parameter: parameter.name, in: parameter.location, new)
      change = { $0.set(parameter, .literal(new)) }
    } else {
      return nil
    }
    let keyword = broken.first?.schemaPointer?.split(separator: "/").last.map(String.init)
    // As a planned case names it.
    let rule = keyword == "type" && new == .null ? "null" : keyword
    let changes = [
      ExploreCase.Change(place: one.place, about: "the random value \(ExploreCase.shortened(new))")
    ]
    var result = made(
      broken.isEmpty ? .anything : .refused, .random, one.place, rule ?? one.constraint, ExploreCase.about(changes),
      value: new, change)
    result.changes = changes
    return result
  }
}

extension JSONValue {
  /// A random value of the same type.
  fileprivate func varied(_ random: inout RandomSource) -> JSONValue {
    switch self {
    case .string(let text): return .string(Self.varied(text, &random))
    case .number:
      let magnitude = Int(random.next() >> (1 + random.next() % 63))
      let whole = random.next() % 3 == 0 ? -magnitude : magnitude
      return random.next() % 4 == 0 ? .number(JSONNumber(Double(whole) / 8)) : JSONValue(whole)
    case .bool(let value): return .bool(!value)
    case .null: return .null
    case .array(let items):
      guard !items.isEmpty else { return self }
      return .array((0..<Int(random.next() % 20)).map { items[$0 % items.count].varied(&random) })
    case .object(let object):
      guard let chosen = object.members.randomElement(using: &random) else { return self }
      return replacing(
        at: [chosen.key][...], with: random.next() % 2 == 0 ? nil : chosen.value.varied(&random)) ?? self
    }
  }

  private static func varied(_ text: String, _ random: inout RandomSource) -> String {
    var scalars = Array(text.unicodeScalars.prefix(200))
    switch random.next() % 4 {
    case 0: scalars = (0..<Int(random.next() % 64)).map { _ in scalar(&random) }
    case 1: scalars.insert(scalar(&random), at: Int(random.next() % UInt64(scalars.count + 1)))
    case 2: scalars = (0..<Int(1 + random.next() % 20)).flatMap { _ in scalars }
    default: scalars.removeLast(scalars.isEmpty ? 0 : Int(random.next() % UInt64(scalars.count)))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A character of ASCII, Latin, Greek, Chinese, emoji, or a control character.
  private static func scalar(_ random: inout RandomSource) -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x7E, 0x20...0x7E, 0xA0...0x17F, 0x370...0x3CE, 0x4E00...0x9FA5, 0x1F300...0x1F5FF,
      0x01...0x1F, 0x200B...0x200F,
    ]
    let range = ranges[Int(random.next() % UInt64(ranges.count))]
    return Unicode.Scalar(range.lowerBound + UInt32(random.next() % UInt64(range.count))) ?? "a"
  }
}
