extension Vocabulary {
  static let client = Vocabulary(
    name: "client", title: "a client", summary: "Who one virtual user is.",
    keys: [
      Key(
        "vars", "Names with values drawn once when a session begins, in this order.",
        .names(.template, "The variable's name.")),
      Key(
        "headers", "Sent with every request, drawn once when a session begins.",
        .names(.textTemplate, "The header's name.")),
      Key("cookies", "Whether cookies are kept, each user its own; true by default.", .boolean),
      Key(
        "connections",
        "own: each arriving user has TCP connections of its own, and closes them; reuse: it takes over those of "
          + "users who left, as clients behind a gateway do.", .choice(["own", "reuse"])),
      Key("auth", "Credentials, masked in every output.", .vocabulary("auth")),
      Key("address", "The local address to send from, drawn once: 127.0.0.${int(2, 250)}.", .textTemplate),
      Key(
        "network", "What lies between the user and the target, in time; never counted as the API's.",
        .vocabulary("network")),
    ])

  static let network = Vocabulary(
    name: "network", title: "a network", summary: "What a user waits for besides the API.",
    keys: [
      Key("latency", "A round trip, drawn for each request: 80ms..300ms.", .drawnDuration),
      Key("loss", "The share of packets that are lost and sent again, each way: 1%.", .share),
      Key("down", "How fast answers come in: 2Mbit/s, 500kbit/s.", .text),
    ])

  static let auth = Vocabulary(
    name: "auth", title: "auth", summary: "Credentials; take them from the environment with ${env(NAME)}.",
    keys: [
      Key("bearer", "The token of Authorization: Bearer.", .textTemplate),
      Key("basic", "User and password of Authorization: Basic.", .vocabulary("basic")),
      Key("api-key", "A key in a header, the query or a cookie.", .vocabulary("api-key")),
      Key(
        "oauth2", "A token of OAuth 2.0, asked for before the user's first request and refreshed.",
        .vocabulary("oauth2")),
    ], alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "an oauth2",
    summary: "How a user gets its access token (RFC 6749). Its requests are counted apart, and no token is ever shown.",
    keys: [
      Key("token-url", "The token endpoint: a URL, or a path of the target.", .textTemplate, isRequired: true),
      Key("client-id", "The client's name.", .textTemplate, isRequired: true),
      Key("client-secret", "Its secret: ${env(NAME)}.", .textTemplate),
      Key("grant", "client_credentials by default.", .choice(of: OAuth2.Grant.self)),
      Key("scope", "What the token is to allow: \"read write\".", .textTemplate),
      Key("user", "The user's name, of the grant password.", .textTemplate),
      Key("password", "The user's password, of the grant password.", .textTemplate),
      Key("refresh-token", "The token of the grant refresh_token.", .textTemplate),
      Key(
        "parameters", "What the server wants besides: { audience: https://api.example.com }.",
        .names(.textTemplate, "The parameter's name.")),
      Key(
        "client-auth", "basic by default: Authorization: Basic; body sends client_id and client_secret in the form.",
        .choice(of: OAuth2.ClientAuthentication.self)),
      Key("shared", "true takes one token for all users; by default each user has its own.", .boolean),
    ])

  static let basic = Vocabulary(
    name: "basic", title: "basic", summary: "User and password.",
    keys: [
      Key("user", "The user's name.", .textTemplate, isRequired: true),
      Key("password", "The password.", .textTemplate, isRequired: true),
    ])

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "A key and where it goes.",
    keys: [
      Key("name", "The header's, parameter's or cookie's name.", .text, isRequired: true),
      Key("in", "Where the key goes; header by default.", .choice(of: Authentication.KeyPlace.self)),
      Key("value", "The key.", .textTemplate, isRequired: true),
    ])
}
