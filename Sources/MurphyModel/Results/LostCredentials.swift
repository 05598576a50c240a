/// Credentials that stopped working while the load ran: the reason why it was ended early.
package struct LostCredentials: Sendable, Codable, Hashable {
  /// Seconds since the run's start: the first response that rejected them.
  package var at: Double
  /// Responses 401 from then on, when the load was ended.
  package var rejections: Int
  /// The successful write request before it: `POST /logout`; nil where there was none.
  package var after: String?

  package init(at: Double, rejections: Int, after: String? = nil) {
    self.at = at
    self.rejections = rejections
    self.after = after
  }

  /// `credentials stopped working at 40 s, after POST /logout`
  package var sentence: String {
    "credentials stopped working at \(Duration.saturating(seconds: (at * 10).rounded() / 10).text)"
      + (after.map { ", after \($0)" } ?? "")
  }
}
