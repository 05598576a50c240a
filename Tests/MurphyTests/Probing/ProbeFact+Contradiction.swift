import MurphyModel

extension ProbeFact {
  /// Whether both cannot be true of one limiter.
  func contradicts(_ other: ProbeFact) -> Bool {
    Self.excludes(self, other) || Self.excludes(other, self)
  }

  private static func excludes(_ one: ProbeFact, _ other: ProbeFact) -> Bool {
    switch (one, other) {
    case (.terms(let left), .terms(let right)): left != right
    case (.terms, .unlimited), (.terms, .shaping), (.terms, .unexplained), (.terms, .notServed):
      true
    case (.terms(let terms), .declared(_, .confirmed)), (.terms(let terms), .declared(_, .otherKey)): !terms.isDecided
    case (.terms(let terms), .admittedAtOnce(let count)):
      terms.isDecided && Double(count) < terms.allowance.low.rounded(.down)
    case (.unlimited, .shaping), (.unlimited, .unexplained), (.unlimited, .admittedAtOnce), (.unlimited, .key),
      (.unlimited, .race), (.unlimited, .countsFailed), (.unlimited, .notServed):
      true
    case (.unlimited, .declared(_, let comparison)): comparison != .contradicted(.unlimited)
    case (.notServed, .declared(_, .confirmed)), (.unexplained, .declared(_, .confirmed)),
      (.windowNotMeasured, .declared(_, .confirmed)),
      (.windowNotMeasured, .terms), (.windowNotMeasured, .declared(_, .otherKey)):
      true
    case (.declared(_, let left), .declared(_, let right)): left != right
    case (.key(let left), .key(let right)): left.dimension == right.dimension && left.outcome != right.outcome
    case (.race(let left, _, _), .race(let right, _, _)): (left > 0) != (right > 0)
    case (.race(let excess, _, _), .declared(_, .confirmed)): excess > 0
    case (.race(let excess, _, _), .burstBeatsSequence): excess == 0
    case (.burstBeatsSequence, .declared(_, .confirmed)): true
    case (.replicas, .oneCounter), (.replicas, .lateSync), (.oneCounter, .lateSync), (.replicas, .race),
      (.replicas, .declared(_, .confirmed)), (.lateSync, .declared(_, .confirmed)):
      true
    case (.countsFailed(let left, _), .countsFailed(let right, _)): left != right
    case (.countsFailed, .unfinished(.countsFailed, _)), (.race, .unfinished(.race, _)): true
    default: false
    }
  }
}
