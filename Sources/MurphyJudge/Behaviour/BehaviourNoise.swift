import MurphyModel
import MurphySchema

/// What differs between runs of the base, and therefore does not count.
struct BehaviourNoise: Sendable {
  struct Key: Hashable, Sendable {
    var place: BehaviourPlace
    var aspect: BehaviourAspect
  }

  /// One example of a difference between two runs of the base.
  struct Sample: Sendable {
    var first: String?
    var second: String?
  }

  /// True while two runs of the base are compared.
  private(set) var isLearning = true
  private(set) var samples: [Key: Sample] = [:]
  /// Places with ids that differ between runs.
  private(set) var mapped: Set<BehaviourPlace> = []
  /// The forms of the values at places that are noise: a UUID, a time with a zone.
  private var forms: [BehaviourPlace: [String: Int]] = [:]
  /// The same of the candidate.
  private var candidateForms: [BehaviourPlace: [String: Int]] = [:]
  /// The seconds between the response and a time in it.
  private var lags: [BehaviourPlace: ClosedRange<Double>] = [:]

  func contains(_ place: BehaviourPlace, _ aspect: BehaviourAspect) -> Bool {
    samples[Key(place: place, aspect: aspect)] != nil
  }

  mutating func learn(_ comparison: ResponseComparison) {
    mapped.formUnion(comparison.mapped.keys)
    for difference in comparison.differences {
      let key = Key(place: difference.place, aspect: difference.aspect)
      if samples[key] == nil { samples[key] = Sample(first: difference.base, second: difference.candidate) }
    }
  }

  /// Ends the comparison of the base with itself, and learns the forms of the values that differ.
  mutating func conclude(_ base: [[RecordedMessage]], _ candidate: [[RecordedMessage]]) {
    isLearning = false
    for message in candidate.joined() where message.isSuccess {
      for (place, value) in noisy(message) {
        candidateForms[place, default: [:]][ValueForm.name(value), default: 0] += 1
      }
    }
    for message in base.joined() where message.isSuccess {
      for (place, value) in noisy(message) {
        forms[place, default: [:]][ValueForm.name(value), default: 0] += 1
        guard let lag = message.lag(of: value) else { continue }
        let known = lags[place] ?? lag...lag
        lags[place] = min(known.lowerBound, lag)...max(known.upperBound, lag)
      }
    }
  }

  private func noisy(_ message: RecordedMessage) -> [(place: BehaviourPlace, value: JSONValue)] {
    message.leaves.filter { contains($0.place, .value) || contains($0.place, .header) }
  }

  /// The form that all values of the base have, if it is known well enough.
  private func form(at place: BehaviourPlace) -> String? {
    guard let known = forms[place], known.count == 1, let form = known.first, form.value >= Self.fewest else {
      return nil
    }
    return form.key
  }

  /// True if no value of the candidate has the form of the base. A random number may be whole by chance.
  private func hasOtherForm(_ place: BehaviourPlace, than form: String) -> Bool {
    guard let found = candidateForms[place] else { return false }
    return found[form] == nil && found.values.reduce(0, +) >= Self.fewest
  }

  /// The values must have been seen this often before their form counts.
  private static let fewest = 3
  /// Seconds by which a time of the candidate may be farther from its response, because clocks differ.
  private static let tolerance = 600.0

  /// The differences in the form of values that themselves are noise.
  func formDifferences(_ base: RecordedMessage, _ candidate: RecordedMessage) -> [BehaviourDifference] {
    guard base.isSuccess, candidate.isSuccess else { return [] }
    var found: [BehaviourDifference] = []
    for (place, value) in candidate.leaves {
      guard let form = form(at: place) else { continue }
      let aspect: BehaviourAspect = place.path.hasPrefix("header ") ? .header : .value
      let name = ValueForm.name(value)
      var difference = BehaviourDifference(place: place, aspect: aspect)
      if name != form, hasOtherForm(place, than: form) {
        let example = samples[Key(place: place, aspect: aspect)]?.first.map { ", as in \($0)" } ?? ""
        (difference.change, difference.base) = ("form", form + example)
        difference.candidate = "\(name), as in \(value.text)"
      } else if let range = lags[place], range.upperBound - range.lowerBound < Self.tolerance,
        let lag = candidate.lag(of: value),
        lag < range.lowerBound - Self.tolerance || lag > range.upperBound + Self.tolerance
      {
        difference.change = "time"
        difference.base = "within \(Self.text(range.upperBound)) of the response"
        difference.candidate = "\(value.text), \(Self.text(lag)) from the response"
      } else {
        continue
      }
      found.append(difference)
    }
    return found
  }

  private static func text(_ seconds: Double) -> String {
    Figure.time(.saturating(seconds: seconds.magnitude.rounded(.up))).text
  }

  /// True for two times that are equally far from their responses: each server wrote its own present.
  func isPresent(
    _ difference: BehaviourDifference, _ base: RecordedMessage, _ candidate: RecordedMessage
  ) -> Bool {
    guard difference.aspect == .value, let left = difference.pointers.base, let right = difference.pointers.candidate,
      case .json(let one) = base.body, case .json(let other) = candidate.body,
      let first = left.resolve(in: one), let second = right.resolve(in: other),
      ValueForm.name(first) == ValueForm.name(second), let lag = base.lag(of: first),
      let otherLag = candidate.lag(of: second)
    else { return false }
    return abs(lag) < Self.present && abs(otherLag) < Self.present && abs(lag - otherLag) < Self.tolerance
  }

  /// A time this close to its response may be that of the start of a process, in seconds.
  private static let present = 3_600.0
}

extension RecordedMessage {
  /// The values without parts, and the headers, with their places.
  var leaves: [(place: BehaviourPlace, value: JSONValue)] {
    var leaves = headers.map { (BehaviourPlace.header(operation, $0.name), JSONValue.string($0.value)) }
    guard case .json(let body) = body else { return leaves }
    func visit(_ value: JSONValue, _ pattern: [String]) {
      switch value {
      case .array(let values): for value in values { visit(value, pattern + ["*"]) }
      case .object(let object):
        for member in object.members { visit(member.value, pattern + [BehaviourPlace.token(member.key)]) }
      default: leaves.append((.body(operation, pattern), value))
      }
    }
    visit(body, [])
    return leaves
  }

  /// Seconds from a time in the response to the response itself; nil for other values.
  func lag(of value: JSONValue) -> Double? { ValueForm.seconds(value).map { call.received.inSeconds - $0 } }
}

/// The form of a value without its content.
enum ValueForm {
  /// `UUID`, `time with Z`, `integer` …; `text` for strings without a special form.
  static func name(_ value: JSONValue) -> String {
    switch value {
    case .number(let number): number.isWrittenAsInteger ? "integer" : "fraction"
    case .string(let text): name(text)
    default: value.typeName
    }
  }

  private static func name(_ text: String) -> String {
    if [text.first, text.last].contains(where: { $0?.isWhitespace == true }) { return "text with spaces around it" }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty { return "digits" }
    if text.wholeMatch(of: #/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#) != nil { return "UUID" }
    if text.wholeMatch(of: #/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#) != nil { return "UUID in capitals" }
    if let match = text.wholeMatch(of: #/\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/#) {
      let zone = match.3.map { $0 == "Z" ? " with Z" : " with \($0)" } ?? " without zone"
      // Python omits a fraction that is zero.
      return "time\(zone)\(match.1 == " " ? " after a space" : "")"
    }
    if HTTPDate.seconds(text) != nil { return "HTTP date" }
    let isHex = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isHex && text.utf8.count >= 16 ? "\(text.utf8.count) hexadecimal digits" : "text"
  }

  /// Seconds since 1970, for strings with a time and for numbers that count the seconds or milliseconds of this century.
  static func seconds(_ value: JSONValue) -> Double? {
    switch value {
    case .string(let text): return HTTPDate.seconds(iso: text) ?? HTTPDate.seconds(text)
    case .number(let number):
      let seconds = number.double
      if 1e9..<4e9 ~= seconds { return seconds }
      return 1e12..<4e12 ~= seconds ? seconds / 1000 : nil
    default: return nil
    }
  }

  /// What a value that changes between two runs probably is.
  static func guess(_ first: String?, _ second: String?) -> String {
    let values = [first, second].compactMap {
      $0.flatMap { try? JSONValue.parse(Array($0.utf8)) } ?? $0.map(JSONValue.string)
    }
    guard values.count == 2 else { return "value" }
    if values.allSatisfy({ seconds($0) != nil }) { return "time" }
    if let low = values[0].double, let high = values[1].double {
      return values.allSatisfy { $0.int != nil } && high > low ? "counter or id" : "number"
    }
    if values.allSatisfy({ name($0).hasPrefix("UUID") || $0.string.map(BehaviourPlace.looksLikeID) == true }) {
      return "id"
    }
    if values.contains(where: { $0 == .string(SecretMask.mask) }) { return "secret" }
    let isToken = values.allSatisfy { value in
      value.string.map { $0.utf8.count >= 12 && !$0.contains(" ") && $0.contains(where: \.isNumber) } ?? false
    }
    return isToken ? "random token" : "text"
  }
}
