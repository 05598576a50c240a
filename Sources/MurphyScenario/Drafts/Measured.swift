import Foundation
import MurphyModel

/// Numbers, rounded for people.
enum Measured {
  /// Three times a latency, at least 50 ms, with one or two digits.
  static func budget(_ latency: Duration) -> String {
    let wanted = max(latency.inSeconds * 3000, 50)
    let step = wanted < 100 ? 10.0 : wanted < 1000 ? 50 : 500
    return "\(Int(saturating: (wanted / step).rounded(.up) * step))ms"
  }

  static func milliseconds(_ time: Duration) -> String { "\(text((time.inSeconds * 10_000).rounded() / 10)) ms" }

  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }
}
