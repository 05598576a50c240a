import MurphyModel

/// Counts of votes: at every response they are between the certain and the possible choices.
///
/// The count before the log begins is a pair of numbers that all responses of a key share, the base. Without other
/// clients it is determined by the responses: if none is possible, that is a contradiction. With other clients only
/// lower bounds hold, over an empty base: others cannot remove the run's votes.
package struct LedgerRule: Sendable {
  /// Nil for an unknown base.
  package var base: (up: Int64, down: Int64)?
  /// False if others may also write while the run lasts.
  package var isExclusive = true

  package init(base: (up: Int64, down: Int64)? = nil, isExclusive: Bool = true) {
    self.base = base
    self.isExclusive = isExclusive
  }

  /// The maximum of base pairs that are tried one by one; with more only the bounds are compared.
  private static let mostBases = 256
  /// The maximum of responses times bases that are tried.
  private static let mostTests = 2_000_000
  /// The maximum of sweep entries that one response is checked against one by one; with more only their bounds.
  private static let mostEntries = 4_096

  /// Numbers in a box cut by two lines of equal sum.
  struct Region {
    var up = -Self.wide...Self.wide
    var down = -Self.wide...Self.wide
    var both = -2 * Self.wide...2 * Self.wide

    static let wide = Int64(1) << 50

    /// Nil if the intersection is empty.
    func narrowed(by other: Region) -> Region? {
      guard up.overlaps(other.up), down.overlaps(other.down), both.overlaps(other.both) else { return nil }
      let (u, d, s) = (up.clamped(to: other.up), down.clamped(to: other.down), both.clamped(to: other.both))
      guard u.lowerBound + d.lowerBound <= s.upperBound, u.upperBound + d.upperBound >= s.lowerBound else { return nil }
      return Region(up: u, down: d, both: s)
    }

    /// The pairs in it, at most `most`; nil for more.
    func pairs(atMost most: Int) -> [(up: Int64, down: Int64)]? {
      guard Int64(up.count) <= Int64(most), Int64(down.count) <= Int64(most), up.count * down.count <= most else {
        return nil
      }
      return up.flatMap { up in down.filter { both.contains(up + $0) }.map { (up, $0) } }
    }
  }

  /// True if these responses alone contradict the actions.
  func isViolated(_ sweep: LedgerSweep, _ views: [LedgerHistory.View]) -> Bool { verdict(sweep, views) != .possible }

  enum Verdict: Equatable {
    case possible
    /// A response that the base, or the only possible base of another response, excludes.
    case impossible(view: Int)
  }

  /// The first response, in the order of `views`, that those before it exclude.
  func verdict(_ sweep: LedgerSweep, _ views: [LedgerHistory.View]) -> Verdict {
    if let base = isExclusive ? base : (0, 0) {
      let wrong = views.firstIndex { !fits($0, sweep, base) }
      return wrong.map { .impossible(view: $0) } ?? .possible
    }
    var region = Region()
    for (number, view) in views.enumerated() {
      guard let narrowed = region.narrowed(by: bases(view, sweep)) else { return .impossible(view: number) }
      region = narrowed
    }
    if views.allSatisfy({ $0.up == nil }) { region.up = 0...0 }
    if views.allSatisfy({ $0.down == nil }) { region.down = 0...0 }
    let most = min(Self.mostBases, max(Self.mostTests / max(views.count, 1), 1))
    guard let pairs = region.pairs(atMost: most) else { return .possible }
    var furthest = 0
    for base in pairs {
      guard let wrong = views.firstIndex(where: { !fits($0, sweep, base) }) else { return .possible }
      furthest = max(furthest, wrong)
    }
    return .impossible(view: furthest)
  }

  /// True if a response is possible over a base.
  private func fits(_ view: LedgerHistory.View, _ sweep: LedgerSweep, _ base: (up: Int64, down: Int64)) -> Bool {
    let entries = sweep.entries(in: view.span)
    guard entries.count <= Self.mostEntries else {
      let bounds = bounds(view, sweep)
      return fits(view, bounds, base)
    }
    let own = sweep.own(view.own)
    return entries.contains { fits(view, sweep.sums(at: $0, own: own), base) }
  }

  private func fits(_ view: LedgerHistory.View, _ six: LedgerSweep.Six, _ base: (up: Int64, down: Int64)) -> Bool {
    if let up = view.up, !isBetween(up - base.up, six[0], six[1]) { return false }
    if let down = view.down, !isBetween(down - base.down, six[2], six[3]) { return false }
    if let up = view.up, let down = view.down, !isBetween(up + down - base.up - base.down, six[4], six[5]) {
      return false
    }
    return true
  }

  private func isBetween(_ value: Int64, _ low: Int32, _ high: Int32) -> Bool {
    Int64(low) <= value && (!isExclusive || value <= Int64(high))
  }

  /// The minimum and the maximum of all sums during a response.
  func bounds(_ view: LedgerHistory.View, _ sweep: LedgerSweep) -> LedgerSweep.Six {
    let own = sweep.own(view.own)
    let entries = sweep.entries(in: view.span)
    var least = sweep.sums(at: entries.lowerBound, own: own)
    var most = least
    for entry in entries.dropFirst() {
      let six = sweep.sums(at: entry, own: own)
      least.replace(with: six, where: six .< least)
      most.replace(with: six, where: six .> most)
    }
    return [least[0], most[1], least[2], most[3], least[4], most[5], 0, 0]
  }

  /// The bases that a response permits, at least.
  func bases(_ view: LedgerHistory.View, _ sweep: LedgerSweep) -> Region {
    let six = bounds(view, sweep)
    var region = Region()
    if let up = view.up { region.up = up - Int64(six[1])...up - Int64(six[0]) }
    if let down = view.down { region.down = down - Int64(six[3])...down - Int64(six[2]) }
    if let up = view.up, let down = view.down { region.both = up + down - Int64(six[5])...up + down - Int64(six[4]) }
    return region
  }
}
