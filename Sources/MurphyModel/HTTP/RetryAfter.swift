/// `Retry-After` (RFC 9110 §10.2.3): whole seconds from the receipt of the answer, or a date.
package enum RetryAfter: Sendable, Hashable {
  case seconds(Int)
  /// Seconds since the epoch, on the server's clock.
  case date(Double)

  /// Nil when it is neither: `1.5`, `-1` and `60s` are syntax errors.
  package init?(_ text: String) {
    if (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text)
    {
      self = .seconds(seconds)
    } else if let date = HTTPDate.seconds(text) {
      self = .date(date)
    } else {
      return nil
    }
  }
}
