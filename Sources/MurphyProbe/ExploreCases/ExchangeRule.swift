/// A rule of HTTP or of URLs for the last response of a case. The response before it, to the unchanged request, is a
/// success.
package enum ExchangeRule: Sendable, Hashable {
  /// Both URLs identify the same resource (RFC 3986 §6.2.2.2).
  ///
  /// - Parameter isValue: true if the difference is in a path parameter.
  case sameResource(isValue: Bool)
  /// The path does not support the method, and supports the method of the request before.
  case unsupportedMethod
  /// The contract does not document a rejection of missing credentials.
  case undocumentedRejection
  /// The first query matches no item, and the second contains a wildcard of SQL.
  case wildcard(String)
  /// The header has an entity tag of the resource.
  case knownTag
  /// The header has a tag that the resource never had.
  case unknownTag
  /// A server ignores the header (RFC 9110 §13.1.3, §14.2).
  case ignored(header: String)
  /// A range of bytes: the first byte, or one beyond the end.
  case range(isSatisfiable: Bool)
  /// The request has another `Host`.
  case host(String)
  /// The content coding of the body is unknown.
  case contentCoding
}
