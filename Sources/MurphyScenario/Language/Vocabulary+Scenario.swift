extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "The top level of a scenario file: the sessions, the load and the checks of a run.",
    Key("name", "The name of the scenario in reports.", .text, isRequired: true),
    Key("about", "A description of the scenario.", .text),
    Key(
      "contract",
      "The path of the OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0). The path is relative to the scenario file, or "
        + "it is a path of the target such as /openapi.json. A list of paths can contain several OpenAPI documents. In "
        + "the list, the OpenAPI overlays (1.0 or 1.1) of a document follow the document.",
      .texts,
      isRequired: true),
    Key(
      "target",
      "The base URL of the API. With `embedded:SYSTEM`, murphy starts one of its own reference APIs as the target. The "
        + "option --target replaces the URL in the scenario.", .text),
    Key(
      "seed",
      "The seed of the random values that murphy generates. The option --seed replaces the seed in the scenario.",
      .whole(atLeast: 0)),
    Key(
      "settings", "How murphy sends requests: timeouts, HTTP version, proxy and certificates.", .vocabulary("settings")),
    Key(
      "client",
      "The settings of the virtual users, such as headers and credentials. Murphy evaluates the settings of a virtual "
        + "user once per session.",
      .vocabulary("client")),
    Key(
      "feeds",
      "The data files of the scenario, by feed name. In an expression, ${feed.column} is the value of a column in the "
        + "row of the session.",
      .names(.vocabulary("feed"), "The feed's name.")),
    Key(
      "setup",
      "Steps that run once, before the load. All sessions can use the values that the setup steps save. If a setup "
        + "step fails, murphy sends no load, and the result of the run is INVALID.", .steps),
    Key(
      "teardown",
      "Steps that run once after the load. Murphy also runs the teardown steps if Ctrl-C stops the load.", .steps),
    Key(
      "login",
      "Steps that each user runs once, before the first session of the user. All sessions of the user can use the "
        + "values that the login steps save.",
      .steps),
    Key(
      "sessions",
      "The sessions of the scenario, by name. Each session contains the steps of one type of user.",
      .names(.vocabulary("session"), "The session's name.")
    ),
    includeKey, namedStepsKey,
    Key(
      "load", "The load over time: a list of stages, or an object with stages and settings.",
      .either([.list(.vocabulary("stage")), .vocabulary("load")]), isRequired: true),
    Key("expect", "The checks that decide whether the run passes.", .vocabulary("expect")))

  private static let includeKey = Key(
    "include",
    "Files whose named steps and sessions the scenario imports. Each path is relative to the file that contains the "
      + "key `include`.",
    .either([.text, .vocabulary("include"), .list(.either([.text, .vocabulary("include")]))]))

  private static let namedStepsKey = Key(
    "steps", "Named lists of steps. Any session can run a named list with `do: NAME`.",
    .names(.steps, "The name of the list of steps."))

  static let include = Vocabulary(
    name: "include", title: "an include",
    summary:
      "A file that the scenario imports. With `outside: true`, the file can be outside of the folder of the importing "
      + "file.",
    Key("file", "The path of the imported file, relative to the importing file.", .text, isRequired: true),
    Key("outside", "Must be true if the imported file is outside of the folder of the importing file.", .boolean))

  /// The contents of a file that others include.
  static let part = Vocabulary(
    name: "part", title: "an included file",
    summary: "The content of an included file: named steps and sessions for the scenarios that include the file.",
    Key("about", "A description of the file.", .text), includeKey, namedStepsKey,
    Key(
      "sessions",
      "The sessions of the scenario, by name. Each session contains the steps of one type of user.",
      .names(.vocabulary("session"), "The session's name.")
    ))

  static let settings = Vocabulary(
    name: "settings", title: "settings",
    summary: "How murphy sends requests. Murphy sends a failed request again only if its step has the key `retry`.",
    Key(
      "timeout", "The maximum time from sending a request to the last byte of its response; 30s by default.", .duration),
    Key("connect-timeout", "The maximum time to establish a connection; 5s by default.", .duration),
    Key(
      "max-body",
      "The maximum size of a response body; 8MB by default. Murphy cuts off a longer response body.", .size),
    Key(
      "http",
      "The HTTP version of the requests; auto by default. With `auto`, murphy uses HTTP/2 if the server offers HTTP/2 "
        + "in the TLS handshake.", .choice(["auto", "1.1", "2"])),
    Key(
      "redirects",
      "The maximum number of redirects that murphy follows for one request; 0 by default. Each request after a "
        + "redirect counts as a separate request.", .whole(atLeast: 0)),
    Key(
      "tls", "The certificate authorities that murphy trusts, and the client certificate of the users.",
      .vocabulary("tls")),
    Key(
      "proxy",
      "The URL of the proxy, which murphy uses instead of the proxy in the environment variables. If the URL is an "
        + "empty string, murphy uses no proxy.",
      .text),
    Key("compression", "If true, requests accept gzip-compressed responses; true by default.", .boolean),
    Key(
      "tracing",
      "The share of the requests whose traces the target should record; off by default. Each request then has a header "
        + "`traceparent`. With `off`, requests do not have this header.", .either([.share, .choice(["off"])])),
    Key(
      "grace",
      "The maximum time for which running sessions continue after the end of the load; 10s by default.", .duration),
    Key(
      "abort-after", "The time without a response after which murphy ends the load early; 10s by default.",
      .either([.duration, .choice(["off"]), .vocabulary("abort-after")])))

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "abort-after", summary: "The conditions under which murphy ends the load early.",
    Key(
      "silence", "The time without a response after which murphy ends the load early; 10s by default.",
      .either([.duration, .choice(["off"])])),
    Key(
      "lost", "The earliest time at which the load ends because the run can no longer meet a budget; off by default.",
      .either([.duration, .choice(["off"])])))

  static let tls = Vocabulary(
    name: "tls", title: "tls",
    summary:
      "The certificate authorities that murphy trusts, and the client certificate of the users. All paths in `tls` are "
      + "relative to the scenario file.",
    Key("ca-file", "The path of a PEM file with the trusted certificate authorities.", .text),
    Key(
      "cert",
      "The path of a PEM file with the client certificate of the users. The option --cert replaces the path in the "
        + "scenario.", .text),
    Key(
      "key",
      "The path of a PEM file with the private key of the client certificate. Without `key`, murphy reads the private "
        + "key from the file in `cert`.",
      .text),
    Key("passphrase", "The passphrase that decrypts the private key, such as ${env(NAME)}.", .textTemplate),
    Key("insecure", "If true, murphy does not verify the server's certificate.", .boolean))

  static let feed = Vocabulary(
    name: "feed", title: "a feed",
    summary: "A data file with rows: a CSV file (RFC 4180) with a header line, or a JSON array.",
    Key("file", "The path of a .csv, .json or .jsonl file, relative to the scenario file.", .text, isRequired: true),
    Key(
      "order",
      "The order in which sessions use the rows: sequential by default. With `random`, murphy chooses a random row of "
        + "the feed for each session. With `shuffled`, sessions use every row once in random order, and then every row "
        + "again in another order.",
      .choice(of: Feed.Order.self)),
    Key(
      "at-end",
      "What murphy does after the last row of the feed: loop by default. With `loop`, sessions use the rows again from "
        + "the first row. With `stop`, murphy starts no more sessions that need a row of the feed.",
      .choice(of: Feed.AtEnd.self)),
    Key(
      "per",
      "Whether each session or each user gets a new row of the feed: session by default. With `session`, each session "
        + "gets a new row. With `user`, all sessions of a user get the same row.",
      .choice(of: Feed.Unit.self)))

  static let client = Vocabulary(
    name: "client", title: "a client", summary: "The settings of one virtual user.",
    Key(
      "vars",
      "Variables of the session. Murphy evaluates the variables once, in the given order, when the session begins.",
      .names(.template, "The variable's name.")),
    Key(
      "headers",
      "Headers that the user sends with every request. Murphy evaluates the headers once, when the session begins.",
      .names(.textTemplate, "The header's name.")),
    Key(
      "cookies",
      "If true, each user stores the cookies of its responses and sends them back; true by default.", .boolean),
    Key(
      "connections",
      "How users share TCP connections: own by default. With `own`, each user opens its own connections and closes "
        + "them at the end. With `reuse`, a user takes over the open connections of earlier users, like clients behind "
        + "a gateway. With `own` and `reuse`, a user sends the requests that a rate limit counts over four connections "
        + "in turn. With `single`, a user opens a second connection only for concurrent requests.",
      .choice(["own", "reuse", "single"])),
    Key("auth", "The credentials of the user. Murphy masks the credentials in all outputs.", .vocabulary("auth")),
    Key(
      "address",
      "The local address from which the user sends requests, such as 127.0.0.${int(2, 250)}. Murphy "
        + "evaluates the address once per session.", .textTemplate),
    Key(
      "network",
      "Simulated network conditions between the user and the target. Murphy never counts simulated delays as response "
        + "time of the API.",
      .vocabulary("network")))

  static let network = Vocabulary(
    name: "network", title: "a network",
    summary: "Simulated network conditions: latency, packet loss and bandwidth.",
    Key(
      "latency",
      "The simulated round-trip time, such as 80ms..300ms. Murphy generates a new time for each request.",
      .drawnDuration),
    Key(
      "loss",
      "The simulated percentage of lost packets in each direction, such as 1%. A lost packet is sent again, which "
        + "delays the request or the response.", .share),
    Key("down", "The simulated bandwidth for responses, such as 2Mbit/s or 500kbit/s.", .text))

  static let auth = Vocabulary(
    name: "auth", title: "auth",
    summary: "The credentials of a user. To read a secret from an environment variable, write ${env(NAME)}.",
    Key("bearer", "The Bearer token that murphy sends in the Authorization header.", .textTemplate),
    Key(
      "basic",
      "The user name and password for HTTP Basic authentication.", .vocabulary("basic")),
    Key("api-key", "An API key that murphy sends in a header, a query parameter or a cookie.", .vocabulary("api-key")),
    Key(
      "oauth2",
      "An OAuth 2.0 access token. Murphy requests the token before the user's first request, and requests a new token "
        + "before the old token expires.",
      .vocabulary("oauth2")), alternatives: [["bearer", "basic", "api-key", "oauth2"]])

  static let oauth2 = Vocabulary(
    name: "oauth2", title: "oauth2",
    summary:
      "How a user gets its access token (RFC 6749). Murphy counts token requests separately, and masks the tokens in "
      + "all outputs.",
    Key("token-url", "The token endpoint: a URL, or a path of the target.", .textTemplate, isRequired: true),
    Key("client-id", "The OAuth client id (client_id).", .textTemplate, isRequired: true),
    Key("client-secret", "The OAuth client secret, for example ${env(NAME)}.", .textTemplate),
    Key("grant", "The OAuth 2.0 grant type; client_credentials by default.", .choice(of: OAuth2.Grant.self)),
    Key("scope", "The scope of the access token, such as \"read write\".", .textTemplate),
    Key("user", "The user name for the OAuth 2.0 grant type `password`.", .textTemplate),
    Key("password", "The password of the user for the OAuth 2.0 grant type `password`.", .textTemplate),
    Key("refresh-token", "The refresh token for the OAuth 2.0 grant type `refresh_token`.", .textTemplate),
    Key(
      "parameters", "Additional parameters of the token request, such as { audience: https://api.example.com }.",
      .names(.textTemplate, "The parameter's name.")),
    Key(
      "client-auth",
      "How the client authenticates to the token endpoint; basic by default. With `basic`, murphy sends client_id and "
        + "client_secret with HTTP Basic authentication. With `body`, murphy sends client_id and client_secret as form "
        + "fields.",
      .choice(of: OAuth2.ClientAuthentication.self)),
    Key(
      "shared",
      "If true, all users share one access token. If false, each user requests its own access token.", .boolean))

  static let basic = Vocabulary(
    name: "basic", title: "basic",
    summary: "The user name and the password for HTTP Basic authentication.",
    Key("user", "The user name.", .textTemplate, isRequired: true),
    Key("password", "The password.", .textTemplate, isRequired: true))

  static let apiKey = Vocabulary(
    name: "api-key", title: "api-key", summary: "An API key, and the part of the request in which murphy sends it.",
    Key(
      "name", "The name of the header, query parameter or cookie that contains the API key.", .text, isRequired: true),
    Key(
      "in", "The part of the request in which murphy sends the API key; header by default.",
      .choice(of: Authentication.KeyPlace.self)),
    Key("value", "The value of the API key.", .textTemplate, isRequired: true))
}
