/// Credentials that stopped working while the load ran.
package struct LostCredentials: Sendable, Codable, Hashable {
  /// Seconds since the run's start: the first response that rejected them.
  package var at: Double
  /// Responses 401, or 401 and 403, from then on.
  package var rejections: Int
  /// Those of them with status 403; nil where only 401 was counted.
  package var forbidden: Int?
  /// The successful write request before it: `POST /logout`; nil where there was none.
  package var after: String?

  package init(at: Double, rejections: Int, forbidden: Int? = nil, after: String? = nil) {
    self.at = at
    self.rejections = rejections
    self.forbidden = forbidden
    self.after = after
  }

  /// `401`, `403`, `401 and 403`
  private var statuses: String {
    guard let forbidden else { return "401" }
    return forbidden < rejections ? "401 and 403" : "403"
  }

  /// `credentials stopped working at 40 s, after POST /logout`; of 403 only what was seen:
  /// `credentials that had worked got only 403 from 40 s on, after POST /logout`
  package var sentence: String {
    let time = Duration.saturating(seconds: (at * 10).rounded() / 10).text
    return
      (forbidden == nil
      ? "credentials stopped working at \(time)" : "credentials that had worked got only \(statuses) from \(time) on")
      + (after.map { ", after \($0)" } ?? "")
  }

  /// `25 responses 401 were counted from then on`
  package var count: String { "\(rejections) responses \(statuses) were counted from then on" }
}
