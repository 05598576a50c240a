import MurphyContract
import MurphyModel
import Testing

/// What a response with status 401 or 403 says about credentials.
@Suite struct CredentialRejectionTests {
  private static func reason(
    _ body: String, challenge: String? = nil, isSent: Bool = true
  ) -> CredentialRejection.Reason? {
    let headers = challenge.map { [HeaderField("WWW-Authenticate", $0)] } ?? []
    return CredentialRejection(headers, body.utf8, isSent: isSent).reason
  }

  @Test func `the error codes of the challenge decide`() {
    #expect(Self.reason("", challenge: #"Bearer realm="a", error="invalid_token""#) == .invalid)
    #expect(Self.reason("", challenge: #"Bearer error="insufficient_scope", scope="admin""#) == .insufficient)
    #expect(Self.reason("", challenge: "Bearer", isSent: false) == .missing)
    #expect(Self.reason("", challenge: "Bearer") == nil)
  }

  @Test func `the words of real servers decide`() {
    #expect(Self.reason(#"{"detail": "Authentication credentials were not provided."}"#) == .missing)
    #expect(Self.reason(#"{"detail": "Not authenticated"}"#) == .missing)
    #expect(Self.reason(#"{"detail": "Could not validate credentials"}"#) == .invalid)
    #expect(Self.reason(#"{"message": "Bad credentials", "documentation_url": "https://x.test/"}"#) == .invalid)
    #expect(Self.reason(#"{"errors": [{"extensions": {"code": "TOKEN_EXPIRED"}}]}"#) == .invalid)
    #expect(Self.reason(#"{"error": "You do not have permission to perform this action."}"#) == .insufficient)
    #expect(Self.reason(#"{"message": "Registration is disabled"}"#) == .disabled)
    #expect(Self.reason(#"{"code": "FEATURE_NOT_ENABLED", "message": "Turned off by your admin"}"#) == .disabled)
    #expect(Self.reason(#"{"error": "API_KEY_EXPIRED"}"#) == .invalid)
    #expect(Self.reason(#"{"detail": "Your account has been disabled"}"#) == .insufficient)
    #expect(Self.reason(#"{"detail": "This user is deactivated"}"#, isSent: false) == .insufficient)
  }

  @Test func `an undecided response stays undecided`() {
    #expect(Self.reason(#"{"error": "Unauthorized"}"#) == nil)
    #expect(Self.reason("<html><title>403 Forbidden</title></html>") == nil)
    #expect(Self.reason(#"{"error": "Invalid or missing token"}"#) == .invalid)
    #expect(Self.reason(#"{"error": "Invalid or missing token"}"#, isSent: false) == .missing)
  }

  @Test func `the advice names the scheme of the document`() throws {
    let contract = try Contract.parse(
      """
      openapi: 3.1.0
      info: { title: Shop, version: "1" }
      components: { securitySchemes: { bearerAuth: { type: http, scheme: bearer } } }
      paths:
        /users:
          get: { operationId: listUsers, security: [{ bearerAuth: [] }], responses: { "200": { description: all } } }
        /open: { get: { operationId: open, responses: { "200": { description: all } } } }
      """, file: "/tmp/shop.yaml")
    let rejection = CredentialRejection([], #"{"error": "Unauthorized"}"#.utf8, isSent: true)
    #expect(
      contract.advice(rejection, operation: 0, isSent: true)
        == "The response does not say whether the credentials are wrong, are expired, or do not permit this request "
        + "(\"Unauthorized\"). GET /users needs the scheme `bearerAuth` (HTTP bearer): pass --header "
        + "'Authorization=Bearer ...', --login or --token-command, or set MURPHY_AUTH_BEARERAUTH.")
    #expect(contract.advice(rejection, operation: 1, isSent: true).contains("names no security scheme for GET /open"))
    // A variable that is set is not to be set.
    let known = ["MURPHY_AUTH_BEARERAUTH": "hush"]
    #expect(
      contract.advice(rejection, operation: 0, isSent: true, environment: known).hasSuffix(
        "Murphy sent the credentials in MURPHY_AUTH_BEARERAUTH. Check whether they permit the request."))
    let wrong = CredentialRejection([], #"{"detail": "bad token"}"#.utf8, isSent: false)
    #expect(
      contract.advice(wrong, operation: 0, isSent: false).hasPrefix(
        "The request had no credentials (\"bad token\"). GET /users needs the scheme `bearerAuth`"))
    let off = CredentialRejection([], #"{"detail": "This feature is disabled"}"#.utf8, isSent: false)
    #expect(
      contract.advice(off, operation: 0, isSent: false)
        == "The response says that the server's configuration does not permit it (\"This feature is disabled\"). "
        + "Enable GET /users there, or do not call it: no credentials help.")
    // The credentials of a login are in its body.
    #expect(contract.advice(wrong, operation: 1, isSent: false).contains("credentials are wrong or expired"))
  }
}
