import MurphyModel

/// A part of the load that disturbs the API on purpose. `expect: recovery:` judges what happens afterwards.
package struct Disturbance: Sendable, Hashable {
  /// What disturbs the API.
  package enum Kind: String, Sendable, Hashable {
    /// Requests fail at the client, as if the API refused connections.
    case outage
    /// Sessions arrive faster, or there are more users.
    case spike
  }

  package var kind: Kind
  /// Since the load began.
  package var from: Duration
  package var until: Duration

  package init(kind: Kind, from: Duration, until: Duration) {
    self.kind = kind
    self.from = from
    self.until = until
  }
}

/// A stage of either model.
private protocol DisturbedStage {
  var duration: Duration { get set }
  var disturbance: Disturbance.Kind? { get set }
  /// The load at a time within the stage.
  func load(at time: Duration) -> Double
  /// The same stage for another time, with another load.
  func part(_ duration: Duration, from: Double, to: Double) -> Self
}

extension DisturbedStage {
  /// `factor` times the stage from one time within it to another.
  func part(from: Duration, until: Duration, factor: Double = 1) -> Self {
    part(until - from, from: load(at: from) * factor, to: load(at: until) * factor)
  }
}

extension ArrivalStage: DisturbedStage {
  func load(at time: Duration) -> Double {
    from.perSecond + (to.perSecond - from.perSecond) * (time.inSeconds / duration.inSeconds)
  }

  func part(_ duration: Duration, from: Double, to: Double) -> ArrivalStage {
    var stage = self
    (stage.duration, stage.from, stage.to) = (duration, Rate(perSecond: from), Rate(perSecond: to))
    return stage
  }
}

extension UserStage: DisturbedStage {
  func load(at time: Duration) -> Double {
    Double(from) + Double(to - from) * (time.inSeconds / duration.inSeconds)
  }

  func part(_ duration: Duration, from: Double, to: Double) -> UserStage {
    var stage = self
    (stage.duration, stage.from, stage.to) = (
      duration, Int(saturating: from.rounded()), Int(saturating: to.rounded())
    )
    return stage
  }
}

extension LoadProfile {
  /// The disturbances in the order of time. Adjacent stages of one kind are one disturbance.
  package var disturbances: [Disturbance] {
    var start = Duration.zero
    var found: [Disturbance] = []
    for (kind, length) in kinds {
      defer { start += length }
      guard let kind else { continue }
      if let last = found.last, last.kind == kind, last.until == start {
        found[found.count - 1].until += length
      } else {
        found.append(Disturbance(kind: kind, from: start, until: start + length))
      }
    }
    return found
  }

  private var kinds: [(Disturbance.Kind?, Duration)] {
    switch self {
    case .open(let stages, _): stages.map { ($0.disturbance, $0.duration) }
    case .closed(let closed): closed.stages.map { ($0.disturbance, $0.duration) }
    }
  }

  /// The same load with a disturbance, and `factor` times the arrivals or users during it.
  package func disturbed(by disturbance: Disturbance, factor: Double = 1) -> LoadProfile {
    switch self {
    case .open(let stages, let pattern):
      return .open(Self.split(stages, disturbance, factor), arrivals: pattern)
    case .closed(var closed):
      closed.stages = Self.split(closed.stages, disturbance, factor)
      return .closed(closed)
    }
  }

  private static func split<Stage: DisturbedStage>(
    _ stages: [Stage], _ disturbance: Disturbance, _ factor: Double
  ) -> [Stage] {
    var start = Duration.zero
    return stages.flatMap { stage -> [Stage] in
      defer { start += stage.duration }
      let from = min(max(disturbance.from - start, .zero), stage.duration)
      let until = min(max(disturbance.until - start, .zero), stage.duration)
      guard from < until else { return [stage] }
      var middle = stage.part(from: from, until: until, factor: factor)
      middle.disturbance = disturbance.kind
      let rest = [stage.part(from: .zero, until: from), stage.part(from: until, until: stage.duration)]
      return [rest[0], middle, rest[1]].filter { $0.duration > .zero }
    }
  }
}
