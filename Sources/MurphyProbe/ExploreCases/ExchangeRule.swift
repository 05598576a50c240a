/// A rule of HTTP or of URLs for the last response of a case. The response before it, to the unchanged request, is a
/// success.
package enum ExchangeRule: Sendable, Hashable {
  /// Both URLs identify the same resource (RFC 3986 §6.2.2.2).
  ///
  /// - Parameter isValue: true if the difference is in a path parameter.
  case sameResource(isValue: Bool)
  /// The path does not support the method, and supports the method of the request before.
  case unsupportedMethod
  /// The response to OPTIONS.
  case options
  /// HEAD after GET (RFC 9110 §9.3.2).
  case head
  /// The contract does not document a rejection of missing credentials.
  case undocumentedRejection
  /// The first query matches no item, and the second contains a wildcard of SQL.
  case wildcard(String)
  /// `If-None-Match` with the current entity tag, or with one that the resource never had (RFC 9110 §13.1.2).
  case tag(isCurrent: Bool)
  /// A server ignores the header with this value (RFC 9110 §13.1.3, §14.2).
  case ignored(header: String)
  /// The first byte of a representation, or one beyond its end (RFC 9110 §14).
  case range(isSatisfiable: Bool)
  /// The request has another `Host`.
  case host(String)
  /// The content coding of the body is unknown.
  case contentCoding
  /// A read, the tested read with this description, and the first read again (RFC 9110 §9.2.1).
  case safeRead(String)
}
