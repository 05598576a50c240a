import MurphyModel

extension LoadProfile {
  /// Sessions that a plan holds; the moments of a Poisson process are kept, eight bytes each.
  public static let mostArrivals = 100_000_000.0
  public static let mostUsers = 1_000_000
  public static let longest: Duration = .seconds(366 * 86_400)

  /// Why the load is larger than a run can be, in a sentence; nil for one that is not.
  public var excess: String? {
    if duration > Self.longest { return "the load lasts \(duration.text); a run lasts at most a year" }
    switch self {
    case .open(let stages, _):
      let arrivals = stages.reduce(0) { $0 + $1.arrivals }
      guard !(arrivals <= Self.mostArrivals) else { return nil }
      return "the load brings more than \(Int(Self.mostArrivals)) sessions; lower its rates or shorten it"
    case .closed(let closed):
      return closed.mostUsers <= Self.mostUsers ? nil : "the load has more than \(Self.mostUsers) users"
    }
  }
}
