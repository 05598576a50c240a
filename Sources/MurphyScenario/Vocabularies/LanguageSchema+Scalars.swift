import MurphyJSON

extension LanguageSchema {
  private static let durationPattern = "(?:[0-9]+(?:\\.[0-9]+)?(?:ns|us|µs|μs|ms|s|min|m|h|d))+|0"
  private static let ratePattern = "[0-9]+(?:\\.[0-9]+)?/(?:ns|us|µs|μs|ms|s|min|m|h|d)"
  private static let drawPattern = "(?:uniform|normal|exponential|lognormal|pareto)\\(.*\\)|\\$\\{.*\\}"

  /// Numbers with units.
  static var scalars: [(String, JSONValue)] {
    [
      (
        "duration",
        scalar("A length of time.", "^(?:\(durationPattern))$", ["300ms", "1.5s", "2m"], also: ["const": 0])
      ),
      (
        "drawn-duration",
        scalar(
          "A length of time, a range, a distribution, or an expression.",
          "^(?:(?:\(durationPattern))(?:\\s*\\.\\.\\s*(?:\(durationPattern)))?|\(drawPattern))$",
          ["2s", "1s..4s", "lognormal(3s, 0.8)"], also: ["const": 0])
      ),
      (
        "drawn-count",
        scalar(
          "A number of times, a range, a distribution, or an expression.",
          "^(?:[0-9]+(?:\\s*\\.\\.\\s*[0-9]+)?|\(drawPattern))$", ["3", "2..5", "${count(ids)}"],
          also: ["type": "integer", "minimum": 0])
      ),
      ("rate", scalar("Events per unit of time.", "^\(ratePattern)$", ["20/s", "600/m", "1000/h"])),
      (
        "rate-range",
        scalar("From one rate to another.", "^\(ratePattern)\\s*\\.\\.\\s*\(ratePattern)$", ["0/s..20/s"])
      ),
      (
        "users",
        scalar(
          "A number of users, or a ramp.", "^[0-9]+(?:\\s*\\.\\.\\s*[0-9]+)?$", ["0..50"],
          also: ["type": "integer", "minimum": 1])
      ),
      ("share", scalar("A percentage.", "^[0-9]+(?:\\.[0-9]+)?%$", ["0.1%", "90%"])),
      (
        "size",
        scalar(
          "A number of bytes.", "^[0-9]+(?:\\.[0-9]+)? ?(?:B|kB|KB|MB|GB|KiB|MiB|GiB)?$", ["64KB", "8MiB"],
          also: ["type": "integer", "minimum": 0])
      ),
      (
        "status",
        scalar(
          "A status, a class of them, or a range.", "^(?:[1-5][0-9][0-9](?:\\.\\.[1-5][0-9][0-9])?|[1-5][xX][xX])$",
          ["404", "4XX", "200..204"], also: ["type": "integer", "minimum": 100, "maximum": 599])
      ),
    ]
  }

  /// - Parameter also: what besides the text is allowed, where a number without quotes means the same.
  private static func scalar(
    _ summary: String, _ pattern: String, _ examples: [String], also: JSONValue? = nil
  ) -> JSONValue {
    let text: JSONValue = ["type": "string", "pattern": .string(pattern)]
    return [
      "description": .string(summary), "anyOf": .array([text] + (also.map { [$0] } ?? [])),
      "examples": .array(examples.map { .string($0) }),
    ]
  }

  static func scalarName(_ shape: Shape) -> String {
    switch shape {
    case .drawnDuration: "drawn-duration"
    case .drawnCount: "drawn-count"
    case .rate: "rate"
    case .rateRange: "rate-range"
    case .users: "users"
    case .share: "share"
    case .size: "size"
    case .status: "status"
    default: "duration"
    }
  }
}
