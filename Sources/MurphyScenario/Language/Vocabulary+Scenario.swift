extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "User sessions, the load they arrive with, and the promises to judge.",
    Key("name", "The scenario's name, as reports show it.", .text, isRequired: true),
    Key("about", "What the scenario shows.", .text),
    Key(
      "contract",
      "The OpenAPI document (3.0, 3.1 or 3.2, YAML or JSON), relative to this file; a path of the target, "
        + "as /openapi.json; or a list of documents, each with the overlays (1.0) that follow it.", .texts,
      isRequired: true),
    Key("target", "The base URL to send to, or embedded:SYSTEM; --target replaces it.", .text),
    Key("seed", "The seed of every draw; --seed replaces it.", .whole(atLeast: 0)),
    Key("settings", "How requests are sent.", .vocabulary("settings")),
    Key("client", "Who one virtual user is; drawn once per session.", .vocabulary("client")),
    Key(
      "feeds", "Files with rows of data; a session finds its row under the feed's name.",
      .names(.vocabulary("feed"), "The feed's name.")),
    Key(
      "setup",
      "Steps that run once, before the load: what they save, all sessions know. When they fail, no load is "
        + "sent and the run is INVALID.", .steps),
    Key("teardown", "Steps that run once, after the load and after Ctrl-C, too.", .steps),
    Key(
      "login", "Steps that each user takes once, before its first session: what they save, all of its sessions know.",
      .steps),
    Key("sessions", "What users do, by the kind of user.", .names(.vocabulary("session"), "The session's name.")),
    includeKey, namedStepsKey,
    Key(
      "load", "How much load there is, and when: stages one after the other.",
      .either([.list(.vocabulary("stage")), .vocabulary("load")]), isRequired: true),
    Key("expect", "The promises that the run is judged by.", .vocabulary("expect")))

  private static let includeKey = Key(
    "include", "Files, relative to this one, whose steps and sessions the scenario takes over.",
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
    Key("about", "What the file holds.", .text), includeKey, namedStepsKey,
    Key("sessions", "What users do, by the kind of user.", .names(.vocabulary("session"), "The session's name.")))

  static let settings = Vocabulary(
    name: "settings", title: "settings", summary: "How requests are sent. Nothing is retried.",
    Key("timeout", "From send to last byte; 30s by default.", .duration),
    Key("connect-timeout", "Until the connection stands; 5s by default.", .duration),
    Key("max-body", "Responses are cut off behind this size; 8MB by default.", .size),
    Key("http", "auto takes HTTP/2 where TLS offers it.", .choice(["auto", "1.1", "2"])),
    Key("redirects", "How many redirects of a request are followed, each counted; 0 by default.", .whole(atLeast: 0)),
    Key("tls", "Whom to trust, and who the users are.", .vocabulary("tls")),
    Key("proxy", "The proxy's URL instead of the environment's; an empty text for none.", .text),
    Key("compression", "Whether gzip is asked for; true by default.", .boolean),
    Key("grace", "How long sessions may run on after the last arrival; 10s by default.", .duration),
    Key(
      "abort-after", "Ends the load when nothing was answered for so long though requests were sent; 10s by default.",
      .either([.duration, .choice(["off"]), .vocabulary("abort-after")])))

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "an abort-after", summary: "What ends the load before its end.",
    Key(
      "silence", "Nothing was answered for so long though requests were sent; 10s by default.",
      .either([.duration, .choice(["off"])])),
    Key(
      "lost", "From so much of the load on, a budget that no rest of the load could keep; off by default.",
      .either([.duration, .choice(["off"])])))

  static let tls = Vocabulary(
    name: "tls", title: "tls", summary: "Which certificates are trusted, and which one the users show.",
    Key("ca-file", "A PEM file of authorities, relative to this file.", .text),
    Key("cert", "A PEM file with the certificate that users show, relative to this file; --cert replaces it.", .text),
    Key("key", "A PEM file with its private key; by default it stands in the certificate's file.", .text),
    Key("passphrase", "Of the key: ${env(NAME)}.", .textTemplate),
    Key("insecure", "true checks no certificate.", .boolean))

  static let feed = Vocabulary(
    name: "feed", title: "a feed", summary: "Rows of a CSV file (RFC 4180, with a header line) or of a JSON array.",
    Key("file", "A .csv, .json or .jsonl file, relative to this file.", .text, isRequired: true),
    Key("order", "sequential by default; shuffled takes every row once a round.", .choice(of: Feed.Order.self)),
    Key(
      "at-end", "loop begins again (default); stop begins no further session that needs a row.",
      .choice(of: Feed.AtEnd.self)),
    Key("per", "Who takes the next row: every session (default), or every user its own.", .choice(of: Feed.Unit.self)))

  static let client = Vocabulary(
    name: "client", title: "a client", summary: "Who one virtual user is.",
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
      .vocabulary("network")))

  static let network = Vocabulary(
    name: "network", title: "a network", summary: "What a user waits for besides the API.",
    Key("latency", "A round trip, drawn for each request: 80ms..300ms.", .drawnDuration),
    Key("loss", "The share of packets that are lost and sent again, each way: 1%.", .share),
    Key("down", "How fast responses come in: 2Mbit/s, 500kbit/s.", .text))

  static let auth = Vocabulary(
    name: "auth", title: "auth", summary: "Credentials; take them from the environment with ${env(NAME)}.",
    Key("bearer", "The token of Authorization: Bearer.", .textTemplate),
    Key("basic", "User and password of Authorization: Basic.", .vocabulary("basic")),
    Key("api-key", "A key in a header, the query or a cookie.", .vocabulary("api-key")),
    Key(
      "oauth2", "A token of OAuth 2.0, asked for before the user's first request and refreshed.",
      .vocabulary("oauth2")), alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "an oauth2",
    summary: "How a user gets its access token (RFC 6749). Its requests are counted apart, and no token is ever shown.",
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
    Key("shared", "true takes one token for all users; by default each user has its own.", .boolean))

  static let basic = Vocabulary(
    name: "basic", title: "basic", summary: "User and password.",
    Key("user", "The user's name.", .textTemplate, isRequired: true),
    Key("password", "The password.", .textTemplate, isRequired: true))

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "A key and where it goes.",
    Key("name", "The header's, parameter's or cookie's name.", .text, isRequired: true),
    Key("in", "Where the key goes; header by default.", .choice(of: Authentication.KeyPlace.self)),
    Key("value", "The key.", .textTemplate, isRequired: true))
}
