extension Vocabulary {
  static let client = Vocabulary(
    name: "client", title: "a client", summary: "Who one virtual user is.",
    keys: [
      Key(
        name: "vars", summary: "Names with values drawn once when a session begins, in this order.",
        shape: .names(.template, summary: "The variable's name.")),
      Key(
        name: "headers", summary: "Sent with every request, drawn once when a session begins.",
        shape: .names(.textTemplate, summary: "The header's name.")),
      Key(name: "cookies", summary: "Whether cookies are kept, each user its own; true by default.", shape: .boolean),
      Key(
        name: "connections",
        summary:
          "own: each arriving user has TCP connections of its own, and closes them; reuse: it takes over those of "
          + "users who left, as clients behind a gateway do.", shape: .choice(["own", "reuse"])),
      Key(name: "auth", summary: "Credentials, masked in every output.", shape: .vocabulary("auth")),
      Key(
        name: "address", summary: "The local address to send from, drawn once: 127.0.0.${int(2, 250)}.",
        shape: .textTemplate),
      Key(
        name: "network", summary: "What lies between the user and the target, in time; never counted as the API's.",
        shape: .vocabulary("network")),
    ])

  static let network = Vocabulary(
    name: "network", title: "a network", summary: "What a user waits for besides the API.",
    keys: [
      Key(
        name: "latency", summary: "A round trip, drawn for each request: 80ms..300ms.", shape: .drawnDuration),
      Key(
        name: "loss", summary: "The share of packets that are lost and sent again, each way: 1%.", shape: .share),
      Key(name: "down", summary: "How fast answers come in: 2Mbit/s, 500kbit/s.", shape: .text),
    ])

  static let auth = Vocabulary(
    name: "auth", title: "auth", summary: "Credentials; take them from the environment with ${env(NAME)}.",
    keys: [
      Key(name: "bearer", summary: "The token of Authorization: Bearer.", shape: .textTemplate),
      Key(name: "basic", summary: "User and password of Authorization: Basic.", shape: .vocabulary("basic")),
      Key(name: "api-key", summary: "A key in a header, the query or a cookie.", shape: .vocabulary("api-key")),
      Key(
        name: "oauth2", summary: "A token of OAuth 2.0, asked for before the user's first request and refreshed.",
        shape: .vocabulary("oauth2")),
    ], alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "an oauth2",
    summary: "How a user gets its access token (RFC 6749). Its requests are counted apart, and no token is ever shown.",
    keys: [
      Key(
        name: "token-url", summary: "The token endpoint: a URL, or a path of the target.", shape: .textTemplate,
        isRequired: true),
      Key(name: "client-id", summary: "The client's name.", shape: .textTemplate, isRequired: true),
      Key(name: "client-secret", summary: "Its secret: ${env(NAME)}.", shape: .textTemplate),
      Key(
        name: "grant", summary: "client_credentials by default.",
        shape: .choice(OAuth2.Grant.allCases.map(\.rawValue))),
      Key(name: "scope", summary: "What the token is to allow: \"read write\".", shape: .textTemplate),
      Key(name: "user", summary: "The user's name, of the grant password.", shape: .textTemplate),
      Key(name: "password", summary: "The user's password, of the grant password.", shape: .textTemplate),
      Key(name: "refresh-token", summary: "The token of the grant refresh_token.", shape: .textTemplate),
      Key(
        name: "parameters", summary: "What the server wants besides: { audience: https://api.example.com }.",
        shape: .names(.textTemplate, summary: "The parameter's name.")),
      Key(
        name: "client-auth",
        summary: "basic by default: Authorization: Basic; body sends client_id and client_secret in the form.",
        shape: .choice(OAuth2.ClientAuthentication.allCases.map(\.rawValue))),
      Key(
        name: "shared", summary: "true takes one token for all users; by default each user has its own.",
        shape: .boolean),
    ])

  static let basic = Vocabulary(
    name: "basic", title: "basic", summary: "User and password.",
    keys: [
      Key(name: "user", summary: "The user's name.", shape: .textTemplate, isRequired: true),
      Key(name: "password", summary: "The password.", shape: .textTemplate, isRequired: true),
    ])

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "A key and where it goes.",
    keys: [
      Key(name: "name", summary: "The header's, parameter's or cookie's name.", shape: .text, isRequired: true),
      Key(
        name: "in", summary: "Where the key goes; header by default.",
        shape: .choice(Authentication.KeyPlace.allCases.map(\.rawValue))),
      Key(name: "value", summary: "The key.", shape: .textTemplate, isRequired: true),
    ])
}
