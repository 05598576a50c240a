/// What became of the setup or the teardown, whose requests stand in no other count.
package struct FixtureResult: Sendable, Codable, Hashable {
  /// Requests that were sent.
  package var requests: Int
  /// Seconds that it took.
  package var duration: Double
  /// Why it did not come to its end; nil where it did.
  package var failed: String?

  package init(requests: Int, duration: Double, failed: String?) {
    self.requests = requests
    self.duration = duration
    self.failed = failed
  }
}

/// The requests for access tokens, which stand in no other count.
package struct TokenResult: Sendable, Codable, Hashable {
  /// Requests that were sent.
  package var requests: Int
  /// Those that brought no token.
  package var failed: Int

  package init(requests: Int, failed: Int) {
    self.requests = requests
    self.failed = failed
  }
}
