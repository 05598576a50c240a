import MurphyModel

extension Contract {
  /// A rate limit that the document promises.
  ///
  /// ```yaml
  /// x-ratelimit: { allow: 30, per: 60s, key: X-Device-ID, algorithm: fixed, policy: votes }
  /// ```
  /// on an operation, a path item or the document's root; the nearest one counts. A list states several limits.
  /// An operation that documents status 429 without the extension promises a limit of unknown size: `allow` and
  /// `per` are nil.
  package struct DocumentedLimit: Sendable, Hashable {
    package enum Origin: String, Sendable, Hashable {
      case operation, path, document
      /// Only a `429` response is documented.
      case response
    }

    /// Requests per window.
    package var allow: Int?
    package var per: Duration?
    /// What it counts by; nil when the document does not say.
    package var key: LimitKey?
    /// `fixed`, `sliding`, `token-bucket` …, as written.
    package var algorithm: String?
    /// Operations whose limits have the same policy name share one counter.
    package var policy: String?
    package var origin: Origin
    /// Headers documented on the `429` response.
    package var headers: [String]
    package var source: SourceMark
  }
}
