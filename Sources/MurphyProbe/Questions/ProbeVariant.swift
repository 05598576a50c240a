import MurphyJudge
import MurphyModel

/// One way in which a probe's request differs from the base client's, to see whether the limiter tells them apart.
public struct ProbeVariant: Sendable, Hashable, Codable {
  public var dimension: ProbeDimension
  /// Tells fresh values apart: the driver makes an address, a header value or a spelling of it.
  public var number: Int

  public init(dimension: ProbeDimension, number: Int) {
    self.dimension = dimension
    self.number = number
  }
}
