import MurphyModel

/// The result of `murphy capacity`: the public record, with all data of its page.
///
/// In the file, the keys are in snake_case. Latencies are microseconds, times are seconds since the search began.
package struct CapacityResult: Sendable, Codable {
  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-capacity/1"

  /// The format and version of the file.
  package var format = CapacityResult.currentFormat
  /// INVALID until the search has ended.
  package var verdict = Verdict.invalid
  /// The reason why the search ended.
  package var ending = CapacityEnding.interrupted
  /// The reasons in sentences, the most important first.
  package var reasons: [String] = []
  /// The name of the scenario.
  package var scenario: String
  /// The path of the scenario.
  package var scenarioFile: String
  /// With credentials masked.
  package var target: String
  /// RFC 3339, UTC.
  package var started: String
  /// The time that the search took.
  @InSeconds package var duration = Duration.zero
  package var seed: UInt64
  /// System, cores and memory.
  package var machine: String
  /// The version of murphy.
  package var murphy: String
  /// The unit of a load: sessions that begin in a second, or users.
  package var unit: LoadStage.Unit
  /// The highest load at which every check passed, confirmed by a longer window; nil where none was confirmed.
  package var capacity: Double?
  /// Responses per second at that load.
  package var throughput: Double?
  /// The highest load that passed, confirmed or not; nil where none did.
  package var held: Double?
  /// The lowest load that failed; nil where all passed.
  package var broke: Double?
  /// The checks that failed there, the decisive one first.
  package var bounds: [CapacityCause] = []
  /// The required precision of the two ends: 0.05 for 5 %.
  package var precision: Double
  /// The maximum load of the search; nil for none.
  package var most: Double?
  /// The required load; nil where none was required.
  package var required: Double?
  /// The judged part of a window.
  @InSeconds package var window: Duration
  /// Checks that no window could test.
  package var untested: [CapacityCause] = []
  /// Nil if the steps show none.
  package var knee: CapacityKnee?
  /// The windows in the order of the search.
  package var steps: [CapacityStep] = []

  package init(
    scenario: String, scenarioFile: String, target: String, started: String, seed: UInt64, machine: String,
    murphy: String, unit: LoadStage.Unit, precision: Double, window: Duration
  ) {
    self.scenario = scenario
    self.scenarioFile = scenarioFile
    self.target = target
    self.started = started
    self.seed = seed
    self.machine = machine
    self.murphy = murphy
    self.unit = unit
    self.precision = precision
    self.window = window
  }
}

/// The reason for the end of the search.
package enum CapacityEnding: String, Sendable, Codable, CaseIterable {
  /// The two ends are close enough together, and the lower one was confirmed.
  case found
  /// All checks passed up to the highest requested load.
  case reachedMost = "reached-most"
  /// Checks failed even at the lowest load.
  case nothingHeld = "nothing-held"
  /// Murphy itself was the bottleneck above the load that passed.
  case generator
  /// A check cannot be decided in a window of the maximum length.
  case untested
  /// The time limit of the search was reached.
  case outOfTime = "out-of-time"
  /// A load that passed in one window failed in a longer one, three times.
  case unsteady
  /// After an excessive load the target did not return to its earlier state.
  case notRecovered = "not-recovered"
  /// Ctrl-C.
  case interrupted
}

/// The load with the best ratio of throughput to latency.
package struct CapacityKnee: Sendable, Codable, Hashable {
  /// Sessions per second, or users.
  package var load: Double
  /// Responses per second.
  package var throughput: Double
  @InMicroseconds package var p95: Duration

  /// Kleinrock's power (1979), throughput over latency. Below its maximum, more load costs little latency; beyond it,
  /// latency grows faster than throughput. It uses the windows that murphy itself did not limit; nil for fewer than
  /// three.
  package init?(_ steps: [CapacityStep]) {
    let curve = steps.filter { $0.isOnCurve && $0.throughput > 0 && $0.p95 ?? .zero > .zero }
    guard Set(curve.map(\.load)).count > 2,
      let best = curve.max(by: { $0.power < $1.power }), let p95 = best.p95
    else { return nil }
    load = best.load
    throughput = best.throughput
    self.p95 = p95
  }
}

extension CapacityResult {
  /// A load in words: `198.4 sessions/s`, `19 users`.
  package func text(_ load: Double) -> String {
    switch unit {
    case .sessionsPerSecond: "\(digits(load)) sessions/s"
    case .users: counted(Int(saturating: load), "user")
    }
  }

  /// A load below a heading that has its unit.
  package func digits(_ load: Double) -> String {
    unit == .users ? Int(saturating: load).text : Figure.digits(load)
  }

  /// Computes the verdict from the end of the search.
  ///
  /// - Parameter limit: the time limit of the search, in words.
  package mutating func conclude(_ search: CapacitySearch, limit: String) {
    ending = search.ending ?? .interrupted
    held = search.held.last
    broke = search.broke?.load
    capacity = ending == .found || ending == .reachedMost ? search.confirmed : nil
    throughput = (capacity ?? held).flatMap { load in
      steps.last { $0.load == load && $0.outcome == .held && $0.purpose != .recover }?.throughput
    }
    bounds = broke.flatMap { load in steps.last { $0.load == load && !$0.causes.isEmpty }?.causes } ?? []
    untested = ending == .untested ? steps.last?.causes ?? [] : []
    knee = CapacityKnee(steps)
    (verdict, reasons) = (word, sentences(limit))
    gate()
  }

  private var word: Verdict {
    switch ending {
    case .found, .reachedMost: .pass
    case .nothingHeld: .fail
    case .generator, .interrupted: .invalid
    case .untested, .outOfTime, .unsteady, .notRecovered: .noData
    }
  }

  private func sentences(_ limit: String) -> [String] {
    let interval = interval
    let why = bounds.first.map { ": \($0.sentence)" } ?? ""
    switch ending {
    case .found:
      return [
        "\(interval): all checks passed at \(text(capacity ?? 0)) (\(responses)), and the first check failed at "
          + "\(text(broke ?? 0))\(why)"
      ]
    case .reachedMost:
      return ["all checks passed up to \(text(capacity ?? 0)) (\(responses)), the highest load of the search"]
    case .nothingHeld: return ["no load passed, not even \(text(broke ?? 0))\(why)"]
    case .generator:
      return [
        "\(interval), but murphy on this machine, not the API, was the limit\(why). Give murphy more cores, "
          + "or a dedicated machine"
      ]
    case .untested:
      let needs = untested.first?.sentence ?? "a check has too few samples"
      return [
        "\(interval); \(needs) in the longest window. Use a longer --window, or a budget that needs fewer samples"
      ]
    case .outOfTime: return ["\(interval): the search ended after \(limit)\(why). Raise --max-seconds"]
    case .unsteady:
      return ["\(interval). Three times, a load passed in one window but failed in a longer window\(why)"]
    case .notRecovered:
      return [
        "\(interval). After the failed window, the target did not return to its behaviour at "
          + "\(text(steps.first?.load ?? 0))\(why)"
      ]
    case .interrupted: return ["\(interval): the search was interrupted"]
    }
  }

  private var responses: String { throughput.map { "\(Figure.digits($0)) responses/s" } ?? "no response" }

  /// The known bounds of the capacity.
  private var interval: String {
    switch (held, broke) {
    case (let held?, let broke?): "the capacity is between \(text(held)) and \(text(broke))"
    case (let held?, nil): "the capacity is at least \(text(held))"
    case (nil, let broke?): "the capacity is below \(text(broke))"
    case (nil, nil): "the capacity is unknown"
    }
  }

  /// A required load decides if it is known to be below or above the capacity.
  private mutating func gate() {
    guard let required, ending != .interrupted else { return }
    if let held, held >= required, ending == .found || ending == .reachedMost || ending == .generator {
      verdict = .pass
      reasons.insert("the required load of \(text(required)) passed", at: 0)
    } else if let broke, broke <= required, bounds.first?.kind != .generator, ending == .found || ending == .nothingHeld
    {
      verdict = .fail
      reasons.insert("\(text(required)) was required, but \(text(broke)) failed", at: 0)
    } else if verdict == .pass {
      verdict = .noData
      reasons.insert(
        "\(text(required)) was required, but is between the highest passing and the lowest failing load", at: 0)
    }
  }
}
