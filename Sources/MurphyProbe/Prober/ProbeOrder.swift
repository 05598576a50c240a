import MurphyContract
import MurphyModel

/// Decides which limits are probed at the same time.
///
/// Two limits are independent if no request of one probe counts in the other limit. This is true if each probe generates
/// the clients by which its limit counts. Limits that are not independent are probed in sequence. The declaration may be
/// wrong: a probe without a sign that its clients have their own counters is repeated alone.
struct ProbeOrder {
  /// One probe that begins now.
  struct Turn: Sendable {
    fileprivate var index: Int
    var choice: ProbeChoice
    var subject: ProbeSubject
    /// The results of probes whose requests may count in this limit.
    var earlier: [ProbedLimit]
    /// True if the first probe of the limit ran at the same time as others, and may have been disturbed by them.
    var isRepeat: Bool
  }

  /// The maximum number of probes at the same time. More of them would delay each other's requests.
  private static let mostAtOnce = 4

  private let choices: [ProbeChoice]
  private let subjects: [(first: ProbeSubject, again: ProbeSubject)]
  /// False if a probe is never repeated.
  private let mayRepeat: Bool
  /// The limits that disturb each other, in sequences.
  private let sequences: [[Int]]
  private var begun: Set<Int> = []
  private var running: Set<Int> = []
  private var repeats: [Int] = []
  private var found: [Int: ProbedLimit] = [:]

  init(
    _ choices: [ProbeChoice], _ subjects: [(first: ProbeSubject, again: ProbeSubject)], _ contract: Contract,
    mayRepeat: Bool
  ) {
    (self.choices, self.subjects, self.mayRepeat) = (choices, subjects, mayRepeat)
    func isUndisturbed(_ index: Int, by other: Int) -> Bool {
      let (choice, subject) = (choices[index], subjects[index].first)
      guard choice.policy?.isKeyDrawn(by: subject) == true else { return false }
      let operation = contract.operations[choices[other].operation].id
      return choice.rivals.allSatisfy { $0.isKeyDrawn(by: subject) || !$0.covers(operation) }
    }
    var sequences: [[Int]] = []
    for index in choices.indices {
      let isJoined = sequences.map { sequence in
        sequence.contains { !isUndisturbed(index, by: $0) || !isUndisturbed($0, by: index) }
      }
      let joined = zip(sequences, isJoined).flatMap { $1 ? $0 : [] } + [index]
      sequences = zip(sequences, isJoined).compactMap { $1 ? nil : $0 } + [joined.sorted()]
    }
    self.sequences = sequences
  }

  /// The results so far, in the order of the declarations.
  var results: [ProbedLimit] { found.sorted { $0.key < $1.key }.map(\.value) }

  /// The next probe that can begin now; nil if none can.
  mutating func next() -> Turn? {
    guard running.count < Self.mostAtOnce else { return nil }
    for sequence in sequences where !sequence.contains(where: running.contains) {
      guard let index = sequence.first(where: { !begun.contains($0) }) else { continue }
      begun.insert(index)
      running.insert(index)
      return Turn(
        index: index, choice: choices[index], subject: subjects[index].first,
        earlier: sequence.compactMap { found[$0] }, isRepeat: false)
    }
    guard running.isEmpty, let index = repeats.first else { return nil }
    repeats.removeFirst()
    running.insert(index)
    return Turn(
      index: index, choice: choices[index], subject: subjects[index].again, earlier: results, isRepeat: true)
  }

  /// - Returns: true if the result is final.
  mutating func finish(_ turn: Turn, _ limit: ProbedLimit) -> Bool {
    running.remove(turn.index)
    found[turn.index] = limit
    let hasOwnCounters = limit.report.keys.contains { $0.dimension == .device && $0.separates == true }
    guard mayRepeat, sequences.count > 1, !turn.isRepeat, limit.verdict != .pass, limit.report.wasServed,
      !hasOwnCounters
    else { return true }
    repeats.append(turn.index)
    return false
  }
}

extension ProbeChoice {
  /// The time after which requests of earlier probes no longer count, even in a sliding counter. Nil if they sent no
  /// request that this limit counts.
  func rest(after turn: ProbeOrder.Turn, _ contract: Contract) -> Duration? {
    let id = contract.operations[operation].id
    return turn.earlier.filter { limit in
      turn.isRepeat || limit.operation == id || policy?.covers(limit.operation) == true
        || limit.policy?.covers(id) == true
    }.map { limit in
      let measured = Duration.saturating(seconds: limit.report.window?.largest ?? 0)
      return max(limit.policy?.window ?? .zero, measured, policy?.window ?? .zero) * 2.1
    }.max()
  }
}

extension LimitPolicy {
  /// True if the probe generated the key itself.
  func isKeyDrawn(by subject: ProbeSubject) -> Bool {
    let drawn = Set(subject.otherDevices.flatMap { $0 }.map { $0.name.lowercased() })
    return !key.parts.isEmpty && key.headerNames.contains { drawn.contains($0) }
  }
}
