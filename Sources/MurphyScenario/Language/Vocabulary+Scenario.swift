extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "The top level of a scenario file: the sessions, the load and the checks of a run.",
    Key("name", "The name of the scenario in reports.", .text, isRequired: true),
    Key("about", "A description of the scenario.", .text),
    Key(
      "contract",
      "The OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0): a path relative to the scenario file, or a path of "
        + "the target such as /openapi.json. A list can contain several documents, and the overlays (1.0 or 1.1) "
        + "of a document after that document.",
      .texts,
      isRequired: true),
    Key(
      "target",
      "The base URL of the API, or embedded:SYSTEM for a reference API of murphy. The option --target "
        + "replaces this value.", .text),
    Key("seed", "The seed of all random values. The option --seed replaces this value.", .whole(atLeast: 0)),
    Key(
      "settings", "How murphy sends requests: timeouts, HTTP version, proxy and certificates.", .vocabulary("settings")),
    Key("client", "The settings of the virtual users. Murphy evaluates them once per session.", .vocabulary("client")),
    Key(
      "feeds", "Data files with rows. A session reads the values of its row under the name of the feed.",
      .names(.vocabulary("feed"), "The feed's name.")),
    Key(
      "setup",
      "Steps that run once, before the load. All sessions can use the values that these steps save. If "
        + "one of the steps fails, murphy sends no load, and the run is INVALID.", .steps),
    Key("teardown", "Steps that run once after the load, even after Ctrl-C.", .steps),
    Key(
      "login",
      "Steps that each user runs once, before the user's first session. All sessions of the user can use "
        + "the values that these steps save.",
      .steps),
    Key(
      "sessions",
      "The sessions of the scenario. Each session has the steps of one type of user.",
      .names(.vocabulary("session"), "The session's name.")
    ),
    includeKey, namedStepsKey,
    Key(
      "load", "The load over time, as a list of stages.",
      .either([.list(.vocabulary("stage")), .vocabulary("load")]), isRequired: true),
    Key("expect", "The checks of the run.", .vocabulary("expect")))

  private static let includeKey = Key(
    "include",
    "Files whose steps and sessions the scenario imports. The paths are relative to the file that "
      + "contains this include.",
    .either([.text, .vocabulary("include"), .list(.either([.text, .vocabulary("include")]))]))

  private static let namedStepsKey = Key(
    "steps", "Named steps, which any session can run with `do: name`.", .names(.steps, "The name of the steps."))

  static let include = Vocabulary(
    name: "include", title: "an include",
    summary:
      "An imported file, which can be outside of the folder of the importing file.",
    Key("file", "The path of the imported file, relative to the importing file.", .text, isRequired: true),
    Key("outside", "Must be true if the imported file is outside of the folder of the importing file.", .boolean))

  /// The contents of a file that others include.
  static let part = Vocabulary(
    name: "part", title: "an included file", summary: "Steps and sessions for the scenarios that include the file.",
    Key("about", "A description of the file.", .text), includeKey, namedStepsKey,
    Key(
      "sessions",
      "The sessions of the scenario. Each session has the steps of one type of user.",
      .names(.vocabulary("session"), "The session's name.")
    ))

  static let settings = Vocabulary(
    name: "settings", title: "settings",
    summary:
      "How murphy sends requests. Without retry in a step, murphy does not send a failed request again.",
    Key(
      "timeout", "The maximum time from sending a request to the last byte of its response; 30s by default.", .duration),
    Key("connect-timeout", "The maximum time to establish a connection; 5s by default.", .duration),
    Key("max-body", "The maximum size of a response body; 8MB by default. Murphy cuts off a longer body.", .size),
    Key(
      "http",
      "The HTTP version; auto by default. With auto, murphy uses HTTP/2 if the server offers HTTP/2 in "
        + "the TLS handshake.", .choice(["auto", "1.1", "2"])),
    Key(
      "redirects",
      "The maximum number of redirects that murphy follows for one request; 0 by default. Each redirect "
        + "counts as a request.", .whole(atLeast: 0)),
    Key(
      "tls", "The certificate authorities that murphy trusts, and the client certificate of the users.",
      .vocabulary("tls")),
    Key(
      "proxy",
      "The URL of the proxy. It replaces the proxy of the environment variables. An empty string means "
        + "no proxy.",
      .text),
    Key("compression", "True if requests accept gzip; true by default.", .boolean),
    Key("grace", "How long sessions may continue after the end of the load; 10s by default.", .duration),
    Key(
      "abort-after", "The load ends if requests get no response for this time; 10s by default.",
      .either([.duration, .choice(["off"]), .vocabulary("abort-after")])))

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "an abort-after", summary: "Conditions that end the load early.",
    Key(
      "silence", "The load ends if requests get no response for this time; 10s by default.",
      .either([.duration, .choice(["off"])])),
    Key(
      "lost", "After this time of the load, the load ends if the run can no longer meet a budget; off by default.",
      .either([.duration, .choice(["off"])])))

  static let tls = Vocabulary(
    name: "tls", title: "tls",
    summary:
      "The certificate authorities that murphy trusts, and the client certificate of the users. All "
      + "paths are relative to the scenario file.",
    Key("ca-file", "The path of a PEM file with the trusted certificate authorities.", .text),
    Key(
      "cert",
      "The path of a PEM file with the client certificate of the users. The option --cert replaces this value.", .text),
    Key(
      "key",
      "The path of a PEM file with the private key of the client certificate. If this path is missing, "
        + "murphy reads the private key from the certificate's file.",
      .text),
    Key("passphrase", "The passphrase of the private key, such as ${env(NAME)}.", .textTemplate),
    Key("insecure", "If true, murphy does not verify the server's certificate.", .boolean))

  static let feed = Vocabulary(
    name: "feed", title: "a feed",
    summary:
      "A data file with rows: a CSV file (RFC 4180) with a header line, or a JSON array.",
    Key("file", "The path of a .csv, .json or .jsonl file, relative to the scenario file.", .text, isRequired: true),
    Key(
      "order",
      "The order of the rows: sequential by default. With shuffled, sessions use every row once per "
        + "round, in random order.",
      .choice(of: Feed.Order.self)),
    Key(
      "at-end",
      "What happens after the last row: loop by default. With loop, the first row follows. With stop, "
        + "murphy starts no more sessions that need a row.",
      .choice(of: Feed.AtEnd.self)),
    Key(
      "per",
      "How rows are assigned: session by default. With session, each session takes the next row. With "
        + "user, each user takes one row.",
      .choice(of: Feed.Unit.self)))

  static let client = Vocabulary(
    name: "client", title: "a client", summary: "The settings of one virtual user.",
    Key(
      "vars", "Variables of the session. Murphy evaluates them once, in this order, when the session begins.",
      .names(.template, "The variable's name.")),
    Key(
      "headers", "Headers of every request. Murphy evaluates them once, when the session begins.",
      .names(.textTemplate, "The header's name.")),
    Key("cookies", "True if each user stores its own cookies; true by default.", .boolean),
    Key(
      "connections",
      "Who uses a TCP connection: own by default. With own, each user opens connections, and closes them "
        + "at the end. With reuse, users take over the connections of earlier users, like clients behind a "
        + "gateway.", .choice(["own", "reuse"])),
    Key("auth", "The credentials of the user. All outputs mask the credentials.", .vocabulary("auth")),
    Key(
      "address",
      "The local address from which the user sends requests, such as 127.0.0.${int(2, 250)}. Murphy "
        + "evaluates the address once per session.", .textTemplate),
    Key(
      "network",
      "Simulated network conditions between the user and the target. Simulated delays never count as "
        + "time of the API.",
      .vocabulary("network")))

  static let network = Vocabulary(
    name: "network", title: "a network",
    summary:
      "Simulated network conditions: latency, packet loss and bandwidth.",
    Key(
      "latency",
      "The simulated round-trip time, such as 80ms..300ms. Murphy generates a new value for each request.",
      .drawnDuration),
    Key("loss", "The percentage of packets that are lost and sent again, in each direction, such as 1%.", .share),
    Key("down", "The simulated bandwidth for responses, such as 2Mbit/s or 500kbit/s.", .text))

  static let auth = Vocabulary(
    name: "auth", title: "auth",
    summary: "The credentials of a user. Read secrets from the environment with ${env(NAME)}.",
    Key("bearer", "The token of the header Authorization: Bearer.", .textTemplate),
    Key("basic", "The user and password of the header Authorization: Basic.", .vocabulary("basic")),
    Key("api-key", "An API key in a header, the query or a cookie.", .vocabulary("api-key")),
    Key(
      "oauth2",
      "An OAuth 2.0 access token. Murphy requests the token before the user's first request, and "
        + "refreshes the token later.",
      .vocabulary("oauth2")), alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "an oauth2",
    summary:
      "How a user gets its access token (RFC 6749). Murphy counts token requests separately, and no "
      + "output shows a token.",
    Key("token-url", "The token endpoint: a URL, or a path of the target.", .textTemplate, isRequired: true),
    Key("client-id", "The OAuth client id (client_id).", .textTemplate, isRequired: true),
    Key("client-secret", "The OAuth client secret, for example ${env(NAME)}.", .textTemplate),
    Key("grant", "The OAuth 2.0 grant type; client_credentials by default.", .choice(of: OAuth2.Grant.self)),
    Key("scope", "The scope of the access token, such as \"read write\".", .textTemplate),
    Key("user", "The user name. Only for the grant type password.", .textTemplate),
    Key("password", "The password of the user. Only for the grant type password.", .textTemplate),
    Key("refresh-token", "The refresh token. Only for the grant type refresh_token.", .textTemplate),
    Key(
      "parameters", "Additional parameters of the token request, such as { audience: https://api.example.com }.",
      .names(.textTemplate, "The parameter's name.")),
    Key(
      "client-auth",
      "How the client authenticates to the token endpoint; basic by default. With basic, murphy sends "
        + "the header Authorization: Basic. With body, client_id and client_secret are fields of the request's form.",
      .choice(of: OAuth2.ClientAuthentication.self)),
    Key("shared", "If true, all users share one token. By default each user has its own token.", .boolean))

  static let basic = Vocabulary(
    name: "basic", title: "basic", summary: "The user name and the password of the header Authorization: Basic.",
    Key("user", "The name of the user.", .textTemplate, isRequired: true),
    Key("password", "The password of the user.", .textTemplate, isRequired: true))

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "An API key, and the part of a request that contains the API key.",
    Key("name", "The name of the header, query parameter or cookie with the API key.", .text, isRequired: true),
    Key(
      "in", "The part of the request that contains the API key; header by default.",
      .choice(of: Authentication.KeyPlace.self)),
    Key("value", "The value of the API key.", .textTemplate, isRequired: true))
}
