import MurphyModel
import Testing

/// The table of secret names that all verbs share.
@Suite struct SecretNameTests {
  static let secret: [(name: String, value: String, place: SecretName.Place)] =
    [
      "password", "user[password]", "newPassword", "PASSWD", "passcode", "app_key", "apiKey", "API-Key",
      "client_secret",
      "csrf_token", "_csrf", "csrfmiddlewaretoken", "authenticity_token", "__RequestVerificationToken", "XSRF-TOKEN",
      "access_token", "refreshToken", "id_token", "PHPSESSID", "JSESSIONID", "connect.sid", "session_id", "user_pin",
      "private_key", "otp", "sig", "X-Amz-Signature", "SAMLResponse", "code_verifier", "wsse-password", "key", "code",
    ].map { ($0, "hush", .request) }
    + [
      "Authorization", "Cookie", "Set-Cookie", "X-Auth-Key", "X-Functions-Key", "X-Master-Key", "DD-APPLICATION-KEY",
      "DD-API-KEY", "X-Session", "X-Auth", "X-CSRF-Token", "X-CSRF", "Ocp-Apim-Subscription-Key", "X-Api-Key",
      "Authentication-Info",
    ].map { ($0, "hush", .header) }
    + [
      ("access", "kM3vT9qLz0Rw", .response), ("refresh", "a8Yw2Nn0Pq", .request),
      ("code", "SplxlOBeZQQYbYS6WxSbIA", .response),
      ("key", "AIx1y2z3w4", .response), ("X-Acme-Key", "q7W4e9R2t5", .header), ("pin", "1234", .response),
      ("code", "482913", .response),
    ]
    + [
      "http_cookie", "cookie_session", "cookie_JSESSIONID", "cookie_version", "sent_http_set_cookie",
      "http_authorization", "http_x_api_key", "http_x_auth", "http_session", "arg_token", "arg_key",
      "request.headers.Cookie", "request.headers.X-Auth", "authorization", "api_key", "x-api-key",
    ].map { ($0, "1234567890", .log) }

  static let open: [(name: String, value: String, place: SecretName.Place)] =
    [
      ("monkey", "q7W4e9R2t5"), ("keyword", "q7W4e9R2t5"), ("keywords", "a1b2c3d4e5"), ("pinned", "a1b2c3"),
      ("author", "a1b2c3"),
      ("authority", "a1b2c3"), ("accessible", "a1b2c3"), ("refreshRate", "60hz"), ("refreshInterval", "30s"),
      ("code", "NOT_FOUND"), ("code", "404"), ("code", "E1001"), ("key", "laws.title"), ("session", "morning"),
      ("access", "read-write"), ("refresh", "1764072000"), ("refresh", "2026-11-25T12:00:00Z"),
      ("token_type", "Bearer"),
      ("expires_in", "3600"), ("max_tokens", "4096"), ("tokensUsed", "17"), ("secretary", "Ann"),
      ("tokenizer", "gpt2x1"),
      ("password_changed_at", "2026-11-25"), ("hasPassword", "true"), ("nextPageToken", "a1b2c3d4e5"),
      ("passengers", "a1b2"),
      ("spinner", "a1b2c3"), ("hotkey", "ctrl1x"), ("primaryKey", "a1b2c3d4"), ("id", "a1b2c3d4"), ("name", "a1b2c3d4"),
      ("token_endpoint", "https://a.example/t0ken"), ("zipcode", "10115"), ("countryCode", "a1b2c3d4"),
    ].map { ($0.0, $0.1, .response) }
    + [
      ("Idempotency-Key", "a1b2c3d4e5f6"), ("ETag", "a1b2c3"), ("X-Request-Id", "a1b2c3d4"),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZQ"),
      ("X-RateLimit-Remaining-Tokens", "12"), ("Access-Control-Allow-Credentials", "include1"),
      ("WWW-Authenticate", "Bearer1"),
    ].map { ($0.0, $0.1, .header) }
    + [
      "remote_addr", "remote_user", "http_x_forwarded_for", "http_user_agent", "http_x_client_id", "arg_page",
      "request.remote_ip", "request.headers.X-Device", "client", "http",
    ].map { ($0, "a1b2c3d4e5", .log) }

  @Test(arguments: secret) func `a secret name is known`(name: String, value: String, place: SecretName.Place) {
    #expect(SecretName.isSecret(name, value, in: place))
  }

  @Test(arguments: open) func `an ordinary name is none`(name: String, value: String, place: SecretName.Place) {
    #expect(!SecretName.isSecret(name, value, in: place))
  }

  @Test(arguments: [
    ("key", "ZENKEY_eyJpZCI6IjQ5YmM0NTE2LWI2ZTgtNGE5", "/service_accounts/{id}/api_keys"),
    ("token", "9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b", "/login"),
    ("value", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "/api-keys"), ("hash", "d41d8cd98f00b204e9800998ecf8427e", "/keys"),
    ("key", "d41d8cd98f00b204e9800998ecf8427e", "/users"), ("key", "0b9c4f4e-5a8e-4a55-9d2b-3f6f0f6f8a11", "/users"),
    ("key", "sk_live_a1b2", "/users"), ("api_key", "abcd", "/users"), ("token", "hush", "/devices"),
    ("session", "65f1c0ffee65f1c0ffee65f1", "/users"), ("signing_key", "hush", "/users"),
    ("key", "abc123", "/keys/{key}"),
  ]) func `a generated string that a response issues is a secret`(name: String, value: String, path: String) {
    #expect(SecretName.isIssued(name, value, by: path))
  }

  @Test(arguments: [
    ("key", "laws.title", "/laws"), ("key", "T-10023", "/tickets"), ("session", "morning", "/laws"),
    ("token_type", "bearer", "/login"), ("max_tokens", "4096", "/models"), ("code", "ERR_VALIDATION_01", "/laws"),
    ("key", "notifications_email_template_v2_title", "/texts"), ("key", "photos/2026/IMG1234.jpg", "/objects"),
    ("id", "4eC39HqLyjWDarjtT1zdp7dc", "/api-keys"),
    ("value", "4eC39HqLyjWDarjtT1zdp7dc", "/items"), ("key", "2026-11-28T11:30:58.467557", "/items"),
  ]) func `an ordinary id under such a name stays readable`(name: String, value: String, path: String) {
    #expect(!SecretName.isIssued(name, value, by: path))
  }

  @Test func `a name that identifies an item in a path stays readable`() {
    let uuid = "0b9c4f4e-5a8e-4a55-9d2b-3f6f0f6f8a11"
    let names = SecretName.identifiers(in: ["/items/{itemKey}", "/sessions/{session}", "/api-keys/{code_key}"])
    #expect(names == ["itemkey", "key", "session"])
    for name in ["key", "itemKey", "session"] {
      #expect(!SecretName.isIssued(name, uuid, by: "/items", identifiers: names))
    }
    #expect(SecretName.isIssued("key", uuid, by: "/api-keys", identifiers: names))
    #expect(SecretName.isIssued("codeKey", uuid, by: "/items", identifiers: names))
  }

  @Test(arguments: [
    ("http://bob:pw@h/?x=1", "http://***@h/?***"), ("https://bob:p/w@h/a", "https://***@h/a"), ("bob:pw@h", "***@h"),
    ("//bob:pw@h", "//***@h"), ("a//b@c", "a//b@c"),
    ("http://h/@me", "http://h/@me"), ("http://h:80/a", "http://h:80/a"), ("ftp://a", "ftp://a"),
    ("http://b:p@q@h", "http://***@h"),
  ])
  func `a URL is shown without its credentials`(url: String, shown: String) {
    #expect(URLCredentials.masked(url) == shown)
  }
}
