import MurphyJudge
import MurphyModel

/// Wrong values near the declared ones. A probe confirms a declaration only if some response contradicts each of them.
extension Prober {
  /// A wrong window, as a part of the declared one. Some multiples of a window begin together with the window.
  private static let wrongWindows = [0.75, 1.33, 0.5, 2]

  /// A wrong quota differs from the declared one by this part of it, at least by one.
  private static let quotaPart = 6
  /// The maximum number of schedules after the first one.
  private static let mostSchedules = 2

  /// Another schedule with other clients, at another time of the window. Nil if each near wrong value is contradicted.
  mutating func nextSchedule() -> [ProbeVolley]? {
    guard let declared = options.declared, known != nil, schedules < Self.mostSchedules,
      !nearMisses(of: declared).isEmpty
    else { return nil }
    schedules += 1
    let volleys = windowSchedule()
    return volleys.isEmpty ? nil : volleys
  }

  /// The declared properties for which a wrong value explains every response as well, if fresh clients were available.
  func nearMisses(of declared: LimitPolicy) -> [ProbeFact.NearMiss] {
    guard let posterior, !others.isEmpty else { return [] }
    let hypothesis =
      declared.algorithm == .any
      ? posterior.best : ProbeHypothesis.allCases.first { $0.algorithm == declared.algorithm } ?? posterior.best
    let (quota, window) = (declared.allowance, declared.window.inSeconds)
    let evidence = evidence
    func explains(_ allowance: Int, _ window: Double) -> Bool {
      var space = VersionSpace(
        firstBurst: firstBurst, known: (allowance, window), release: release, longest: max(longestTried, window))
      return space.isPossible(hypothesis, evidence)
    }
    let margin = max(1, quota / Self.quotaPart)
    let quotas = [quota + margin, quota - margin].filter { $0 > 0 && explains($0, window) }
    let windows = Self.wrongWindows.map { $0 * window }.filter { explains(quota, $0) }
    return quotas.prefix(1).map { .quota($0, declared: quota) }
      + windows.prefix(1).map { .window($0, declared: window) }
  }
}
