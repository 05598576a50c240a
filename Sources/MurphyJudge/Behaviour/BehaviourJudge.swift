import MurphyModel

/// Compares the responses of base and candidate, and ignores what also differs between runs of the base.
package struct BehaviourJudge {
  private let base: [[RecordedMessage]]
  private let candidate: [[RecordedMessage]]
  private let ignored: [String]
  private var noise = BehaviourNoise()
  private var causes: [Cause: Occurrences] = [:]
  private var order: [Cause] = []
  private var hidden: Set<UncomparedPlace> = []

  /// Differences with one cause.
  private struct Cause: Hashable {
    var place: BehaviourPlace
    var aspect: BehaviourAspect
    var change: String
  }

  private struct Occurrences {
    var responses = 0
    /// The runs of the candidate with the difference, by request.
    var rounds: [RecordedMessage.Key: Set<Int>] = [:]
    let first: BehaviourDifference
    let exchanges: (base: RecordedMessage, candidate: RecordedMessage)
  }

  /// - Parameters:
  ///   - base: at least two runs, so that there is noise to learn from.
  ///   - candidate: run k has run k of the base as its counterpart.
  ///   - ignored: places, as `listLaws /data/*/score` or `/data/*/score` for all operations.
  package init(base: [RecordedRun], candidate: [RecordedRun], ignored: [String] = []) {
    self.base = base.map(RecordedMessage.all)
    self.candidate = candidate.map(RecordedMessage.all)
    self.ignored = ignored
  }

  /// Adds operations, changes and the verdict to a result.
  package mutating func judge(_ result: inout BehaviourResult) {
    for first in base.indices {
      for second in base.indices where second > first {
        for comparison in compare(PairedRuns(base[first], base[second])) { noise.learn(comparison.result) }
      }
    }
    noise.conclude(base, candidate)
    var operations: [String: BehaviourOperation] = [:]
    var gaps: [String: [PairedRuns.Gap: Int]] = [:]
    for (round, candidate) in candidate.enumerated() where base.indices.contains(round) {
      let paired = PairedRuns(base[round], candidate)
      for (operation, counts) in paired.gaps { gaps[operation, default: [:]].merge(counts, uniquingKeysWith: +) }
      for message in base[round] {
        operations[message.operation, default: BehaviourOperation(operation: message.operation)].requests += 1
      }
      let comparisons = compare(paired)
      var mapped: [BehaviourPlace: Set<String>] = [:]
      for comparison in comparisons { mapped.merge(comparison.result.mapped) { $0.union($1) } }
      let ids = Set(mapped.filter { $0.value.count > 1 }.keys)
      for comparison in comparisons {
        operations[comparison.base.operation]?.pairs += 1
        if comparison.base.isSuccess, comparison.candidate.isSuccess {
          operations[comparison.base.operation]?.successes += 1
        } else {
          let statuses = [comparison.base, comparison.candidate].compactMap(\.status).map(String.init)
          operations[comparison.base.operation]?.gap =
            "no pair of successful responses, for example the statuses \(statuses.joined(separator: " and "))"
        }
        record(comparison, round, ids)
      }
    }
    result.operations = names.map { name in
      Self.row(operations[name] ?? BehaviourOperation(operation: name), gaps[name] ?? [:])
    }
    let counts = Dictionary(result.operations.map { ($0.operation, $0.pairs) }) { first, _ in first }
    result.changes = order.compactMap { cause in
      guard let found = causes[cause], isReproduced(found) else { return nil }
      return Self.change(
        cause.place, cause.aspect, cause.change, found.responses, counts[cause.place.operation] ?? 0, found.first,
        found.exchanges)
    }
    result.notCompared = uncompared
    result.conclude()
  }

  /// A difference that never occurred between runs of the base may still be rare noise.
  private static let plenty = 7

  /// True if the same request shows the difference in each run of the candidate. Random noise does so rarely. Seven
  /// occurrences are enough in all: by chance, all are in two of five runs with a probability of 0.2 %.
  private func isReproduced(_ found: Occurrences) -> Bool {
    found.responses >= Self.plenty || found.rounds.values.contains { $0.count == candidate.count }
  }

  /// The operations in the order of their first request.
  private var names: [String] {
    var seen: Set<String> = []
    return (base + candidate).joined().map(\.operation).filter { seen.insert($0).inserted }
  }

  private typealias Compared = (base: RecordedMessage, candidate: RecordedMessage, result: ResponseComparison)

  private func compare(_ paired: PairedRuns) -> [Compared] {
    paired.pairs.map { base, candidate in
      var comparison = ResponseComparison(base.operation, paired.map, noise)
      comparison.compare(base, candidate)
      return (base, candidate, comparison)
    }
  }

  /// - Parameter ids: places with several ids that the two servers issued.
  private mutating func record(_ compared: Compared, _ round: Int, _ ids: Set<BehaviourPlace>) {
    let (base, candidate) = (compared.base, compared.candidate)
    var found = compared.result.differences.filter { !noise.contains($0.place, $0.aspect) }
    found.removeAll { $0.isImage && ids.contains($0.place) || noise.isPresent($0, base, candidate) }
    found += noise.formDifferences(base, candidate)
    var seen: Set<Cause> = []
    for difference in found {
      if let pattern = ignored.first(where: { difference.place.matches($0) }) {
        hidden.insert(
          UncomparedPlace(difference.place, difference.aspect, reason: "ignored by --ignore \"\(pattern)\""))
        continue
      }
      let cause = Cause(place: difference.place, aspect: difference.aspect, change: difference.change)
      guard seen.insert(cause).inserted else { continue }
      if causes[cause] == nil {
        causes[cause] = Occurrences(first: difference, exchanges: (base, candidate))
        order.append(cause)
      }
      causes[cause]?.responses += 1
      causes[cause]?.rounds[base.key, default: []].insert(round)
    }
  }

  private static func row(_ operation: BehaviourOperation, _ gaps: [PairedRuns.Gap: Int]) -> BehaviourOperation {
    var row = operation
    row.incomparable = PairedRuns.Gap.allCases.compactMap { gap in
      gaps[gap].map { "\($0) \($0 == 1 ? "pair" : "pairs"): \(gap.rawValue)" }
    }
    if row.pairs == 0 {
      row.gap = row.incomparable.isEmpty ? "no session called it" : row.incomparable.joined(separator: "; ")
    } else if row.successes > 0 {
      row.gap = nil
    }
    return row
  }

  private var uncompared: [UncomparedPlace] {
    let learnt = noise.samples.map { key, sample in
      UncomparedPlace(key.place, key.aspect, reason: Self.reason(key.aspect, sample))
    }
    return (learnt + hidden).sorted {
      ($0.operation, $0.place, $0.aspect.rawValue) < ($1.operation, $1.place, $1.aspect.rawValue)
    }
  }

  private static func reason(_ aspect: BehaviourAspect, _ sample: BehaviourNoise.Sample) -> String {
    let values = [sample.first, sample.second].map { $0 ?? "absent" }.joined(separator: " and ")
    switch aspect {
    case .value, .header:
      return "\(ValueForm.guess(sample.first, sample.second)) that differs between two runs of the base: \(values)"
    case .order: return "the order differs between two runs of the base, so the list is compared as a set"
    default: return "the \(aspect.noun) differs between two runs of the base: \(values)"
    }
  }
}

extension UncomparedPlace {
  fileprivate init(_ place: BehaviourPlace, _ aspect: BehaviourAspect, reason: String) {
    self.init(operation: place.operation, place: place.path, aspect: aspect, reason: reason)
  }
}

extension BehaviourAspect {
  fileprivate var noun: String {
    switch self {
    case .status, .header, .type, .value, .order: rawValue
    case .presence: "presence of the field"
    case .items: "number of items, or their identity,"
    }
  }
}

extension BehaviourPlace {
  /// - Parameter pattern: a path, or an operation and a path, separated by a space.
  fileprivate func matches(_ pattern: String) -> Bool {
    pattern == path || pattern == operation || pattern == "\(operation) \(path)"
  }
}

extension BehaviourJudge {
  fileprivate static func change(
    _ place: BehaviourPlace, _ aspect: BehaviourAspect, _ change: String, _ responses: Int, _ compared: Int,
    _ first: BehaviourDifference, _ exchanges: (base: RecordedMessage, candidate: RecordedMessage)
  ) -> BehaviourChange {
    var finding = Finding(
      kind: aspect.kind, operation: place.operation,
      message: first.sentence + ", in \(responses) of \(compared) responses", count: responses,
      discriminator: "\(place.path) \(change)")
    let (base, candidate) = (exchanges.base.call.exchange, exchanges.candidate.call.exchange)
    finding.evidence = Evidence(exchange: candidate, instancePointer: first.pointers.candidate?.description)
    return BehaviourChange(
      finding: finding, place: place.path, responses: responses, compared: compared, base: base, candidate: candidate,
      basePointer: first.pointers.base?.description, candidatePointer: first.pointers.candidate?.description)
  }
}

extension BehaviourDifference {
  /// `the value at /data/*/score changed from 4.25 to 4.3`
  fileprivate var sentence: String {
    let (old, new) = (base ?? "nothing", candidate ?? "nothing")
    let name = place.path.hasPrefix("header ") ? "the \(place.path)" : place.path
    return switch aspect {
    case .status: "the status changed from \(old) to \(new)"
    case .header, .presence:
      switch change {
      case "missing": "\(name) is missing, but the base has \(old)"
      case "new": "\(name) is new: \(new)"
      default: "\(name) changed from \(old) to \(new)"
      }
    case .type: "the type of \(name) changed (\(change)): from \(old) to \(new)"
    case .value:
      switch change {
      case "form": "the form of \(name) changed from \(old) to \(new)"
      case "time": "the time in \(name) is shifted: \(new); in the base \(old)"
      default: "\(name) changed from \(old) to \(new)"
      }
    case .order: "the list \(name) has another order: \(new) instead of \(old)"
    case .items:
      change == "others"
        ? "the list \(name) has other items: \(new) instead of \(old)" : "the list \(name) has \(new) instead of \(old)"
    }
  }
}
