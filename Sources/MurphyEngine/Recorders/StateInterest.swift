import MurphyContract
import MurphyModel
import MurphyScenario

/// The values that the log of the invariants takes from each operation.
struct StateInterest: Sendable {
  /// One invariant's tap on an operation.
  struct Tap: Sendable {
    var invariant: Int
    var action: StateTap.Action
    /// The place of the user and of the idempotency key in the request; nil where the invariant reads neither.
    var owner: StateSource?
    var once: StateSource?
  }

  /// By operation; most have none.
  let taps: [[Tap]]
  /// By operation: the places of the parameters in its path.
  let paths: [PathShape]
  let invariants: [StateExpectation]

  init(scenario: Scenario, contract: Contract) {
    invariants = scenario.expectations.state
    var taps = [[Tap]](repeating: [], count: contract.operations.count)
    for (number, invariant) in invariants.enumerated() {
      for tap in invariant.taps {
        guard let operation = tap.operation.index ?? contract.index(of: tap.operation.id) else { continue }
        taps[operation].append(
          Tap(invariant: number, action: tap.action, owner: invariant.owner, once: invariant.idempotency))
      }
    }
    self.taps = taps
    paths = zip(contract.operations, taps).map { PathShape($0.path, isUsed: !$1.isEmpty) }
  }

  var isEmpty: Bool { invariants.isEmpty }
}

/// Finds the parameters of `/laws/{id}/vote` in `/laws/17/vote?x=1`.
struct PathShape: Sendable {
  private struct Place: Sendable {
    var segment: Int
    var prefix: String
    var suffix: String
  }

  private var places: [String: Place] = [:]
  private var count = 0

  init(_ template: String, isUsed: Bool) {
    guard isUsed else { return }
    let segments = template.split(separator: "/", omittingEmptySubsequences: false)
    count = segments.count
    for (number, segment) in segments.enumerated() {
      guard let open = segment.firstIndex(of: "{"), let close = segment.firstIndex(of: "}"), open < close else {
        continue
      }
      let name = String(segment[segment.index(after: open)..<close])
      places[name] = Place(
        segment: number, prefix: String(segment[..<open]), suffix: String(segment[segment.index(after: close)...]))
    }
  }

  /// The decoded value of a parameter; nil where the target does not have it.
  func value(_ name: String, in target: String) -> String? {
    guard let place = places[name] else { return nil }
    let segments = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == count, segments[place.segment].hasPrefix(place.prefix),
      segments[place.segment].hasSuffix(place.suffix)
    else { return nil }
    let text = segments[place.segment].dropFirst(place.prefix.count).dropLast(place.suffix.count)
    return text.isEmpty ? nil : PercentEncoding.decode(text)
  }

  /// The target with another value of a parameter.
  func replacing(_ name: String, with value: String, in target: String) -> String? {
    guard let place = places[name] else { return nil }
    let path = target.prefix { $0 != "?" }
    var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.count == count else { return nil }
    segments[place.segment] = place.prefix + PercentEncoding.encode(value, keepingReserved: false) + place.suffix
    return segments.joined(separator: "/") + target.dropFirst(path.count)
  }
}
