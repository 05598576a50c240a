import MurphyModel

/// How policies and shares are said on the tuning page.
enum TuneText {
  /// `30 per 60s`, `burst 40, 4/s`
  static func policy(_ point: TuneResult.Point) -> String {
    point.algorithm == LimitAlgorithm.tokenBucket.rawValue
      ? "burst \(point.allowance), \(Figure.rate(point.abusePerSecond).text)"
      : "\(Figure.count(point.allowance).text) per \(Figure.seconds(point.window).text)"
  }

  static func algorithm(_ name: String) -> String { LimitAlgorithm(rawValue: name)?.text ?? name }

  /// `per address`, `per user`, `for everybody together`
  static func key(_ key: String) -> String { key == "global" ? "for everybody together" : "per \(key)" }

  /// A share of one, per cent.
  static func share(_ share: Double) -> String {
    if share > 0, share < 0.0001 { return "<0.01%" }
    return Figure(Figure.decimals(share * 100, share < 0.1 ? 2 : 1), "%").text
  }

  /// The stylesheet's class of a key, so that it looks the same in every drawing.
  static func style(_ key: String) -> String {
    switch key {
    case "address": "p50"
    case "user": "p99"
    default: "p95"
    }
  }
}
