import MurphyModel

extension LoadProfile {
  /// `--load FACTOR`: the same stages with `factor` times the arrivals or users.
  public func scaled(by factor: Double) -> LoadProfile {
    switch self {
    case .open(let stages, let arrivals):
      .open(
        stages.map {
          ArrivalStage(
            from: Rate(perSecond: $0.from.perSecond * factor), to: Rate(perSecond: $0.to.perSecond * factor),
            duration: $0.duration)
        }, arrivals: arrivals)
    case .closed(var closed):
      {
        func users(_ count: Int) -> Int { count == 0 ? 0 : max(Int(saturating: (Double(count) * factor).rounded()), 1) }
        closed.stages = closed.stages.map {
          UserStage(from: users($0.from), to: users($0.to), duration: $0.duration)
        }
        return .closed(closed)
      }()
    }
  }

  /// `--duration D`: every stage stretched or shortened alike, so that all together last `total`.
  public func stretched(to total: Duration) -> LoadProfile {
    let now = duration.inSeconds
    guard now > 0 else { return self }
    let factor = total.inSeconds / now
    switch self {
    case .open(let stages, let arrivals):
      return .open(
        stages.map {
          ArrivalStage(from: $0.from, to: $0.to, duration: .saturating(seconds: $0.duration.inSeconds * factor))
        }, arrivals: arrivals)
    case .closed(var closed):
      closed.stages = closed.stages.map {
        UserStage(from: $0.from, to: $0.to, duration: .saturating(seconds: $0.duration.inSeconds * factor))
      }
      return .closed(closed)
    }
  }
}
