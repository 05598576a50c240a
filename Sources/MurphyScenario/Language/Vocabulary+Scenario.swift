extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "The user sessions, the load and the checks of a run.",
    Key("name", "The name of the scenario in reports.", .text, isRequired: true),
    Key("about", "A description of the scenario.", .text),
    Key(
      "contract",
      "The OpenAPI document (3.0, 3.1 or 3.2): a file relative to this one, or a path of the target such "
        + "as /openapi.json. A list can contain several documents, each with the overlays (1.0) that follow it.",
      .texts,
      isRequired: true),
    Key("target", "The base URL of the API, or embedded:SYSTEM; --target replaces it.", .text),
    Key("seed", "The seed of all random values; --seed replaces it.", .whole(atLeast: 0)),
    Key("settings", "How requests are sent.", .vocabulary("settings")),
    Key("client", "The settings of the virtual users, evaluated once per session.", .vocabulary("client")),
    Key(
      "feeds", "Files with rows of data. A session reads its row under the name of the feed.",
      .names(.vocabulary("feed"), "The feed's name.")),
    Key(
      "setup",
      "Steps that run once, before the load. All sessions can use the values that they save. If they fail, "
        + "no load is sent and the run is INVALID.", .steps),
    Key("teardown", "Steps that run once after the load, even after Ctrl-C.", .steps),
    Key(
      "login",
      "Steps that each user runs once, before its first session. All of its sessions can use the values "
        + "that they save.",
      .steps),
    Key(
      "sessions",
      "The sessions: the steps of each type of "
        + "user.", .names(.vocabulary("session"), "The session's name.")
    ),
    includeKey, namedStepsKey,
    Key(
      "load", "The load over time, as a list of stages.",
      .either([.list(.vocabulary("stage")), .vocabulary("load")]), isRequired: true),
    Key("expect", "The checks of the run.", .vocabulary("expect")))

  private static let includeKey = Key(
    "include", "Files whose steps and sessions the scenario imports. Their paths are relative to this file.",
    .either([.text, .vocabulary("include"), .list(.either([.text, .vocabulary("include")]))]))

  private static let namedStepsKey = Key(
    "steps", "Named steps, which any session can run with `do: name`.", .names(.steps, "The name of the entry."))

  static let include = Vocabulary(
    name: "include", title: "an include", summary: "A file that may be outside of this file's folder.",
    Key("file", "The path of the file, relative to this file.", .text, isRequired: true),
    Key("outside", "Must be true for a file outside of this file's folder.", .boolean))

  /// The contents of a file that others include.
  static let part = Vocabulary(
    name: "part", title: "an included file", summary: "Steps and sessions for the scenarios that include the file.",
    Key("about", "A description of the file.", .text), includeKey, namedStepsKey,
    Key(
      "sessions",
      "The sessions: the steps of each type of "
        + "user.", .names(.vocabulary("session"), "The session's name.")
    ))

  static let settings = Vocabulary(
    name: "settings", title: "settings", summary: "How requests are sent. Failed requests are not sent again.",
    Key("timeout", "The maximum time from the send to the last byte; 30s by default.", .duration),
    Key("connect-timeout", "The maximum time to establish a connection; 5s by default.", .duration),
    Key("max-body", "The maximum size of a response body. Longer bodies are cut off; 8MB by default.", .size),
    Key(
      "http", "The HTTP version; auto by default. auto uses HTTP/2 if TLS offers it.", .choice(["auto", "1.1", "2"])),
    Key(
      "redirects",
      "The maximum number of redirects to follow for one request. Each redirect counts as a request; 0 by "
        + "default.", .whole(atLeast: 0)),
    Key("tls", "The trusted certificates, and the certificate of the users.", .vocabulary("tls")),
    Key(
      "proxy", "The URL of the proxy, which replaces the proxy of the environment. An empty string means no proxy.",
      .text),
    Key("compression", "True if requests accept gzip; true by default.", .boolean),
    Key("grace", "How long sessions may continue after the last arrival; 10s by default.", .duration),
    Key(
      "abort-after", "The load ends if requests get no response for this time; 10s by default.",
      .either([.duration, .choice(["off"]), .vocabulary("abort-after")])))

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "an abort-after", summary: "Conditions that end the load early.",
    Key(
      "silence", "The load ends if requests get no response for this time; 10s by default.",
      .either([.duration, .choice(["off"])])),
    Key(
      "lost", "After this time, the load ends if a budget can no longer be met; off by default.",
      .either([.duration, .choice(["off"])])))

  static let tls = Vocabulary(
    name: "tls", title: "tls", summary: "The trusted certificates, and the certificate that users present.",
    Key("ca-file", "A PEM file with the trusted authorities. Its path is relative to this file.", .text),
    Key(
      "cert",
      "A PEM file with the certificate that users present. Its path is relative to this file; --cert "
        + "replaces it.", .text),
    Key(
      "key", "A PEM file with the private key of the certificate. By default the key is in the certificate's file.",
      .text),
    Key("passphrase", "The passphrase of the private key: ${env(NAME)}.", .textTemplate),
    Key("insecure", "If true, certificates are not verified.", .boolean))

  static let feed = Vocabulary(
    name: "feed", title: "a feed", summary: "Rows of a CSV file (RFC 4180, with a header line) or of a JSON array.",
    Key("file", "The path of a .csv, .json or .jsonl file, relative to this file.", .text, isRequired: true),
    Key(
      "order", "The order of the rows: sequential by default; shuffled uses every row once per round.",
      .choice(of: Feed.Order.self)),
    Key(
      "at-end", "loop starts again after the last row (default); stop starts no more sessions that need a row.",
      .choice(of: Feed.AtEnd.self)),
    Key(
      "per", "session (default): each session takes the next row. user: each user takes one row.",
      .choice(of: Feed.Unit.self)))

  static let client = Vocabulary(
    name: "client", title: "a client", summary: "The settings of one virtual user.",
    Key(
      "vars", "Variables that are evaluated once when a session begins, in this order.",
      .names(.template, "The variable's name.")),
    Key(
      "headers", "Headers of every request, evaluated once when a session begins.",
      .names(.textTemplate, "The header's name.")),
    Key("cookies", "True if each user stores its own cookies; true by default.", .boolean),
    Key(
      "connections",
      "The TCP connections; own by default. own: each user opens connections and closes them at the "
        + "end. reuse: users "
        + "take over the connections of earlier users, like clients behind a gateway.", .choice(["own", "reuse"])),
    Key("auth", "The credentials of the user. All outputs mask them.", .vocabulary("auth")),
    Key("address", "The local address to send from, chosen once per session: 127.0.0.${int(2, 250)}.", .textTemplate),
    Key(
      "network", "Simulated network conditions between the user and the target. They never count as the API's time.",
      .vocabulary("network")))

  static let network = Vocabulary(
    name: "network", title: "a network", summary: "Simulated network conditions (latency, loss, bandwidth).",
    Key("latency", "The round-trip time, generated for each request: 80ms..300ms.", .drawnDuration),
    Key("loss", "The share of packets that are lost and sent again, in each direction: 1%.", .share),
    Key("down", "The bandwidth of responses: 2Mbit/s, 500kbit/s.", .text))

  static let auth = Vocabulary(
    name: "auth", title: "auth",
    summary: "The credentials of a user. Read secrets from the environment with ${env(NAME)}.",
    Key("bearer", "The token of the header Authorization: Bearer.", .textTemplate),
    Key("basic", "The user and password of the header Authorization: Basic.", .vocabulary("basic")),
    Key("api-key", "An API key in a header, the query or a cookie.", .vocabulary("api-key")),
    Key(
      "oauth2", "An OAuth 2.0 access token. It is requested before the user's first request and refreshed later.",
      .vocabulary("oauth2")), alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "an oauth2",
    summary: "How a user gets its access token (RFC 6749). Token requests are counted separately, and no output "
      + "shows a token.",
    Key("token-url", "The token endpoint: a URL, or a path of the target.", .textTemplate, isRequired: true),
    Key("client-id", "The OAuth client id (client_id).", .textTemplate, isRequired: true),
    Key("client-secret", "The OAuth client secret, for example ${env(NAME)}.", .textTemplate),
    Key("grant", "The OAuth 2.0 grant type; client_credentials by default.", .choice(of: OAuth2.Grant.self)),
    Key("scope", "The scope of the access token, such as \"read write\".", .textTemplate),
    Key("user", "The user name. Only for the grant type password.", .textTemplate),
    Key("password", "The password of the user. Only for the grant type password.", .textTemplate),
    Key("refresh-token", "The refresh token. Only for the grant type refresh_token.", .textTemplate),
    Key(
      "parameters", "Additional parameters that the server needs: { audience: https://api.example.com }.",
      .names(.textTemplate, "The parameter's name.")),
    Key(
      "client-auth",
      "How the client authenticates; basic by default. basic sends the header Authorization: Basic. body sends "
        + "client_id and client_secret in the form.",
      .choice(of: OAuth2.ClientAuthentication.self)),
    Key("shared", "If true, all users share one token. By default each user has its own token.", .boolean))

  static let basic = Vocabulary(
    name: "basic", title: "basic", summary: "A user name and a password.",
    Key("user", "The name of the user.", .textTemplate, isRequired: true),
    Key("password", "The password of the user.", .textTemplate, isRequired: true))

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "An API key, and where it is sent.",
    Key("name", "The name of the header, parameter or cookie.", .text, isRequired: true),
    Key(
      "in", "The part of the request that contains the API key; header by default.",
      .choice(of: Authentication.KeyPlace.self)),
    Key("value", "The value of the API key.", .textTemplate, isRequired: true))
}
