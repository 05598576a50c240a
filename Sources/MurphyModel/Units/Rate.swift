/// Events per second.
public struct Rate: Sendable, Hashable, Comparable, Codable {
  /// Events per second.
  public var perSecond: Double

  /// A rate in events per second.
  public init(perSecond: Double) { self.perSecond = perSecond }

  public static func < (left: Rate, right: Rate) -> Bool { left.perSecond < right.perSecond }

  /// `20/s`
  public var text: String {
    let rounded = (perSecond * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(saturating: rounded))/s" : "\(rounded)/s"
  }
}
