/// The keys that one kind of mapping may have: the source of the reader's checks and of the JSON Schema.
struct Vocabulary: Sendable {
  struct Key: Sendable {
    let name: String
    /// One sentence, shown by editors.
    let summary: String
    let shape: Shape
    let isRequired: Bool

    init(_ name: String, _ summary: String, _ shape: Shape, isRequired: Bool = false) {
      self.name = name
      self.summary = summary
      self.shape = shape
      self.isRequired = isRequired
    }
  }

  /// The name of its definition in the schema.
  var name: String
  /// With its article, for messages: `a session`.
  var title: String
  var summary: String
  var keys: [Key]
  /// Exactly one of each group must be there.
  var alternatives: [[String]] = []
  /// Those of the alternatives that may also stand beside another.
  var companions: Set<String> = []

  subscript(name: String) -> Key? { keys.first { $0.name == name } }
}

/// What may stand behind a key, for the schema. The reader knows it in code.
indirect enum Shape: Sendable {
  case text
  /// Text, number, truth, null, list or mapping, with `${…}` in its texts.
  case template
  /// A text in which `${…}` may stand.
  case textTemplate
  case boolean
  case whole(atLeast: Int)
  case number
  case duration
  /// A duration, a distribution of durations, or `${…}`.
  case drawnDuration
  /// A number of times, a range of them, a distribution, or `${…}`.
  case drawnCount
  case rate
  case rateRange
  case users
  case share
  case size
  /// A JSONPath query.
  case path
  case condition
  case status
  case choice([String])
  case constant(String)
  case vocabulary(String)
  case list(Shape)
  /// Any names, each with such a value.
  case names(Shape, String)
  case either([Shape])
  case anything
  /// A bare `null`.
  case null

  static let texts = Shape.either([.text, .list(.text)])
  static let steps = Shape.list(.vocabulary("step"))

  /// One of the names of an enumeration.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> Shape {
    .choice(Choice.allCases.map(\.rawValue))
  }
}

extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "User sessions, the load they arrive with, and the promises to judge.",
    keys: [
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
      Key("expect", "The promises that the run is judged by.", .vocabulary("expect")),
    ])

  private static let includeKey = Key(
    "include", "Files, relative to this one, whose steps and sessions the scenario takes over.",
    .either([.text, .vocabulary("include"), .list(.either([.text, .vocabulary("include")]))]))

  private static let namedStepsKey = Key(
    "steps", "Steps under names, for `do: name` in any session.", .names(.steps, "The name."))

  static let include = Vocabulary(
    name: "include", title: "an include", summary: "A file outside of this one's folder.",
    keys: [
      Key("file", "The file, relative to this one.", .text, isRequired: true),
      Key("outside", "true for a file that lies outside of this one's folder.", .boolean),
    ])

  /// What a file may hold that others include.
  static let part = Vocabulary(
    name: "part", title: "an included file", summary: "Steps and sessions for the scenarios that include the file.",
    keys: [
      Key("about", "What the file holds.", .text), includeKey, namedStepsKey,
      Key("sessions", "What users do, by the kind of user.", .names(.vocabulary("session"), "The session's name.")),
    ])

  static let settings = Vocabulary(
    name: "settings", title: "settings", summary: "How requests are sent. Nothing is retried.",
    keys: [
      Key("timeout", "From send to last byte; 30s by default.", .duration),
      Key("connect-timeout", "Until the connection stands; 5s by default.", .duration),
      Key("max-body", "Answers are cut off behind this size; 8MB by default.", .size),
      Key("http", "auto takes HTTP/2 where TLS offers it.", .choice(["auto", "1.1", "2"])),
      Key("redirects", "How many redirects of a request are followed, each counted; 0 by default.", .whole(atLeast: 0)),
      Key("tls", "Whom to trust, and who the users are.", .vocabulary("tls")),
      Key("proxy", "The proxy's URL instead of the environment's; an empty text for none.", .text),
      Key("compression", "Whether gzip is asked for; true by default.", .boolean),
      Key("grace", "How long sessions may run on after the last arrival; 10s by default.", .duration),
      Key(
        "abort-after", "Ends the load when nothing was answered for so long though requests were sent; 10s by default.",
        .either([.duration, .choice(["off"]), .vocabulary("abort-after")])),
    ])

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "an abort-after", summary: "What ends the load before its end.",
    keys: [
      Key(
        "silence", "Nothing was answered for so long though requests were sent; 10s by default.",
        .either([.duration, .choice(["off"])])),
      Key(
        "lost", "From so much of the load on, a budget that no rest of the load could keep; off by default.",
        .either([.duration, .choice(["off"])])),
    ])

  static let tls = Vocabulary(
    name: "tls", title: "tls", summary: "Which certificates are trusted, and which one the users show.",
    keys: [
      Key("ca-file", "A PEM file of authorities, relative to this file.", .text),
      Key("cert", "A PEM file with the certificate that users show, relative to this file; --cert replaces it.", .text),
      Key("key", "A PEM file with its private key; by default it stands in the certificate's file.", .text),
      Key("passphrase", "Of the key: ${env(NAME)}.", .textTemplate),
      Key("insecure", "true checks no certificate.", .boolean),
    ])

  static let feed = Vocabulary(
    name: "feed", title: "a feed", summary: "Rows of a CSV file (RFC 4180, with a header line) or of a JSON array.",
    keys: [
      Key("file", "A .csv, .json or .jsonl file, relative to this file.", .text, isRequired: true),
      Key("order", "sequential by default; shuffled takes every row once a round.", .choice(of: Feed.Order.self)),
      Key(
        "at-end", "loop begins again (default); stop begins no further session that needs a row.",
        .choice(of: Feed.AtEnd.self)),
      Key(
        "per", "Who takes the next row: every session (default), or every user its own.", .choice(of: Feed.Unit.self)),
    ])
}
