/// Header fields that murphy asks for whatever a contract says, and others so common that their names need no second
/// look. The raw value is the name's number in every ``FieldNames``.
package enum FieldName: Int16, CaseIterable, Sendable {
  // Framing and connections (RFC 9112 §6, §9)
  case contentLength, transferEncoding, connection, keepAlive, contentEncoding
  // Users and judges
  case setCookie, contentType, retryAfter
  case ratelimit, ratelimitPolicy, ratelimitLimit, ratelimitRemaining, ratelimitReset
  case xRatelimitLimit, xRatelimitRemaining, xRatelimitReset, xRatelimitWindow
  // Rules of HTTP that hold for every API
  case date, etag, vary, allow, cacheControl, wwwAuthenticate
  case accessControlAllowOrigin, accessControlAllowCredentials
  // Common ones
  case server, lastModified, acceptRanges, expires, age, via, location, link, pragma, xPoweredBy, xRequestId
  case strictTransportSecurity, xContentTypeOptions, xFrameOptions, contentSecurityPolicy, accessControlAllowHeaders
  case accessControlAllowMethods, accessControlExposeHeaders, referrerPolicy, altSvc

  /// In lower case: `content-length`.
  package var text: String {
    String(describing: self).map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }

  /// Its bit in ``FieldTable/known``.
  package var bit: UInt64 { 1 << UInt64(rawValue) }
}
