import Foundation
import MurphyModel

extension RandomSource {
  public mutating func uniform(_ low: Double, _ high: Double) -> Double { low + unit() * (high - low) }
  public mutating func exponential(mean: Double) -> Double { -mean * log(1 - unit()) }
  /// Box and Muller (1958).
  public mutating func normal() -> Double { sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit()) }
  public mutating func logUniform(_ low: Double, _ high: Double) -> Double { exp(uniform(log(low), log(high))) }
}
