extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "User sessions, the load they arrive with, and the checks.",
    Key("name", "The scenario's name, as reports show it.", .text, isRequired: true),
    Key("about", "What the scenario shows.", .text),
    Key(
      "contract",
      "The OpenAPI document (3.0, 3.1 or 3.2, YAML or JSON), relative to this file; a path of the target, "
        + "as /openapi.json; or a list of documents, each with the overlays (1.0) that follow it.", .texts,
      isRequired: true),
    Key("target", "The base URL to send to, or embedded:SYSTEM; --target replaces it.", .text),
    Key("seed", "The seed of all random values; --seed replaces it.", .whole(atLeast: 0)),
    Key("settings", "How requests are sent.", .vocabulary("settings")),
    Key("client", "Virtual user settings; evaluated once per session.", .vocabulary("client")),
    Key(
      "feeds", "Files with rows of data; a session has its row under the feed's name.",
      .names(.vocabulary("feed"), "The feed's name.")),
    Key(
      "setup",
      "Steps that run once, before the load. All sessions can use what they save. If they fail, no load is sent and "
        + "the run is INVALID.", .steps),
    Key("teardown", "Steps that run once, after the load, also after Ctrl-C.", .steps),
    Key(
      "login", "Steps that each user takes once, before its first session. All of its sessions can use what they save.",
      .steps),
    Key("sessions", "What users do, by the kind of user.", .names(.vocabulary("session"), "The session's name.")),
    includeKey, namedStepsKey,
    Key(
      "load", "How much load there is, and when: stages one after the other.",
      .either([.list(.vocabulary("stage")), .vocabulary("load")]), isRequired: true),
    Key("expect", "The checks of the run.", .vocabulary("expect")))

  private static let includeKey = Key(
    "include", "Files, relative to this one, whose steps and sessions the scenario imports.",
    .either([.text, .vocabulary("include"), .list(.either([.text, .vocabulary("include")]))]))

  private static let namedStepsKey = Key(
    "steps", "Steps under names, for `do: name` in any session.", .names(.steps, "The name."))

  static let include = Vocabulary(
    name: "include", title: "an include", summary: "A file outside of this one's folder.",
    Key("file", "The file, relative to this one.", .text, isRequired: true),
    Key("outside", "true for a file that lies outside of this one's folder.", .boolean))

  /// The contents of a file that others include.
  static let part = Vocabulary(
    name: "part", title: "an included file", summary: "Steps and sessions for the scenarios that include the file.",
    Key("about", "What the file contains.", .text), includeKey, namedStepsKey,
    Key("sessions", "What users do, by the kind of user.", .names(.vocabulary("session"), "The session's name.")))

  static let settings = Vocabulary(
    name: "settings", title: "settings", summary: "How requests are sent. Nothing is retried.",
    Key("timeout", "From send to last byte; 30s by default.", .duration),
    Key("connect-timeout", "Until the connection is established; 5s by default.", .duration),
    Key("max-body", "The longest response body that is read; 8MB by default.", .size),
    Key("http", "auto takes HTTP/2 where TLS offers it.", .choice(["auto", "1.1", "2"])),
    Key("redirects", "How many redirects of a request are followed, each counted; 0 by default.", .whole(atLeast: 0)),
    Key("tls", "Trusted certificates, and the certificate of the users.", .vocabulary("tls")),
    Key("proxy", "The proxy's URL instead of the environment's; an empty string for none.", .text),
    Key("compression", "True if requests accept gzip; true by default.", .boolean),
    Key("grace", "How long sessions may continue after the last arrival; 10s by default.", .duration),
    Key(
      "abort-after", "Ends the load if requests were sent but none was answered for this long; 10s by default.",
      .either([.duration, .choice(["off"]), .vocabulary("abort-after")])))

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "an abort-after", summary: "What ends the load early.",
    Key(
      "silence", "Requests were sent but none was answered for this long; 10s by default.",
      .either([.duration, .choice(["off"])])),
    Key(
      "lost", "After this time of the load, a budget that can no longer be met; off by default.",
      .either([.duration, .choice(["off"])])))

  static let tls = Vocabulary(
    name: "tls", title: "tls", summary: "Which certificates are trusted, and which one the users present.",
    Key("ca-file", "A PEM file of authorities, relative to this file.", .text),
    Key(
      "cert", "A PEM file with the certificate that users present, relative to this file; --cert replaces it.", .text),
    Key("key", "A PEM file with its private key; by default it is in the certificate's file.", .text),
    Key("passphrase", "The passphrase of the key: ${env(NAME)}.", .textTemplate),
    Key("insecure", "true disables the verification of certificates.", .boolean))

  static let feed = Vocabulary(
    name: "feed", title: "a feed", summary: "Rows of a CSV file (RFC 4180, with a header line) or of a JSON array.",
    Key("file", "A .csv, .json or .jsonl file, relative to this file.", .text, isRequired: true),
    Key("order", "sequential by default; shuffled takes every row once per round.", .choice(of: Feed.Order.self)),
    Key(
      "at-end", "loop starts again (default); stop starts no further session that needs a row.",
      .choice(of: Feed.AtEnd.self)),
    Key("per", "Who takes the next row: every session (default), or every user once.", .choice(of: Feed.Unit.self)))

  static let client = Vocabulary(
    name: "client", title: "a client", summary: "The settings of one virtual user.",
    Key(
      "vars", "Names with values evaluated once when a session begins, in this order.",
      .names(.template, "The variable's name.")),
    Key(
      "headers", "Sent with every request, evaluated once when a session begins.",
      .names(.textTemplate, "The header's name.")),
    Key("cookies", "True if each user keeps its own cookies; true by default.", .boolean),
    Key(
      "connections",
      "own: each arriving user opens its own TCP connections and closes them; reuse: it reuses those of users who "
        + "left, like clients behind a gateway.", .choice(["own", "reuse"])),
    Key("auth", "Credentials, masked in every output.", .vocabulary("auth")),
    Key("address", "The local address to send from, chosen once: 127.0.0.${int(2, 250)}.", .textTemplate),
    Key(
      "network", "Simulated network conditions between the user and the target; never counted as the API's time.",
      .vocabulary("network")))

  static let network = Vocabulary(
    name: "network", title: "a network", summary: "Simulated network conditions (latency, loss, bandwidth).",
    Key("latency", "The round-trip time, generated for each request: 80ms..300ms.", .drawnDuration),
    Key("loss", "The share of packets that are lost and sent again, each way: 1%.", .share),
    Key("down", "The bandwidth for responses: 2Mbit/s, 500kbit/s.", .text))

  static let auth = Vocabulary(
    name: "auth", title: "auth", summary: "Credentials; take them from the environment with ${env(NAME)}.",
    Key("bearer", "The token of Authorization: Bearer.", .textTemplate),
    Key("basic", "User and password of Authorization: Basic.", .vocabulary("basic")),
    Key("api-key", "A key in a header, the query or a cookie.", .vocabulary("api-key")),
    Key(
      "oauth2", "A token of OAuth 2.0, requested before the user's first request and refreshed.",
      .vocabulary("oauth2")), alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "an oauth2",
    summary: "How a user gets its access token (RFC 6749). Its requests are counted apart, and no token is ever shown.",
    Key("token-url", "The token endpoint: a URL, or a path of the target.", .textTemplate, isRequired: true),
    Key("client-id", "The client's name.", .textTemplate, isRequired: true),
    Key("client-secret", "Its secret: ${env(NAME)}.", .textTemplate),
    Key("grant", "client_credentials by default.", .choice(of: OAuth2.Grant.self)),
    Key("scope", "The scope of the token: \"read write\".", .textTemplate),
    Key("user", "The user's name, of the grant password.", .textTemplate),
    Key("password", "The user's password, of the grant password.", .textTemplate),
    Key("refresh-token", "The token of the grant refresh_token.", .textTemplate),
    Key(
      "parameters", "Additional parameters that the server needs: { audience: https://api.example.com }.",
      .names(.textTemplate, "The parameter's name.")),
    Key(
      "client-auth", "basic by default: Authorization: Basic; body sends client_id and client_secret in the form.",
      .choice(of: OAuth2.ClientAuthentication.self)),
    Key("shared", "true takes one token for all users; by default each user has its own.", .boolean))

  static let basic = Vocabulary(
    name: "basic", title: "basic", summary: "User and password.",
    Key("user", "The user's name.", .textTemplate, isRequired: true),
    Key("password", "The password.", .textTemplate, isRequired: true))

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "A key and where it is sent.",
    Key("name", "The header's, parameter's or cookie's name.", .text, isRequired: true),
    Key("in", "Where the key is sent; header by default.", .choice(of: Authentication.KeyPlace.self)),
    Key("value", "The key.", .textTemplate, isRequired: true))
}
