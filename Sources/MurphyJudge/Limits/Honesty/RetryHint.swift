/// When a refusal's body says to come back.
enum RetryHint {
  private static let names = ["\"retry_after\"", "\"retryAfter\"", "\"retry-after\""]

  /// The number after a member of one of the usual names, seconds; nil if there is none.
  static func seconds(inBody body: String) -> Double? {
    for name in names {
      guard let range = body.firstRange(of: name) else { continue }
      let rest = body[range.upperBound...].drop { $0 == " " || $0 == ":" || $0 == "\n" || $0 == "\t" }
      let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
      if let value = Double(number) { return value }
    }
    return nil
  }
}
