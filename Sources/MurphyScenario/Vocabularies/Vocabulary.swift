/// The keys that one kind of mapping may have: the source of the reader's checks and of the JSON Schema.
struct Vocabulary: Sendable {
  struct Key: Sendable {
    var name: String
    /// One sentence, shown by editors.
    var summary: String
    var shape: Shape
    var isRequired = false
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
  case names(Shape, summary: String)
  case either([Shape])
  case anything
  /// A bare `null`.
  case null
}

extension Vocabulary {
  static let scenario = Vocabulary(
    name: "scenario", title: "a scenario",
    summary: "User sessions, the load they arrive with, and the promises to judge.",
    keys: [
      Key(name: "name", summary: "The scenario's name, as reports show it.", shape: .text, isRequired: true),
      Key(name: "about", summary: "What the scenario shows.", shape: .text),
      Key(
        name: "contract",
        summary: "The OpenAPI document (3.0, 3.1 or 3.2, YAML or JSON), relative to this file; a path of the target, "
          + "as /openapi.json; or a list of documents, each with the overlays (1.0) that follow it.",
        shape: .either([.text, .list(.text)]), isRequired: true),
      Key(
        name: "target", summary: "The base URL to send to, or embedded:SYSTEM; --target replaces it.", shape: .text),
      Key(name: "seed", summary: "The seed of every draw; --seed replaces it.", shape: .whole(atLeast: 0)),
      Key(name: "settings", summary: "How requests are sent.", shape: .vocabulary("settings")),
      Key(name: "client", summary: "Who one virtual user is; drawn once per session.", shape: .vocabulary("client")),
      Key(
        name: "feeds", summary: "Files with rows of data; a session finds its row under the feed's name.",
        shape: .names(.vocabulary("feed"), summary: "The feed's name.")),
      Key(
        name: "setup",
        summary: "Steps that run once, before the load: what they save, all sessions know. When they fail, no load is "
          + "sent and the run is INVALID.", shape: .list(.vocabulary("step"))),
      Key(
        name: "teardown", summary: "Steps that run once, after the load and after Ctrl-C, too.",
        shape: .list(.vocabulary("step"))),
      Key(
        name: "login",
        summary: "Steps that each user takes once, before its first session: what they save, all of its sessions know.",
        shape: .list(.vocabulary("step"))),
      Key(
        name: "sessions", summary: "What users do, by the kind of user.",
        shape: .names(.vocabulary("session"), summary: "The session's name.")),
      includeKey, namedStepsKey,
      Key(
        name: "load", summary: "How much load there is, and when: stages one after the other.",
        shape: .either([.list(.vocabulary("stage")), .vocabulary("load")]), isRequired: true),
      Key(name: "expect", summary: "The promises that the run is judged by.", shape: .vocabulary("expect")),
    ])

  private static let includeKey = Key(
    name: "include", summary: "Files, relative to this one, whose steps and sessions the scenario takes over.",
    shape: .either([.text, .vocabulary("include"), .list(.either([.text, .vocabulary("include")]))]))

  private static let namedStepsKey = Key(
    name: "steps", summary: "Steps under names, for `do: name` in any session.",
    shape: .names(.list(.vocabulary("step")), summary: "The name."))

  static let include = Vocabulary(
    name: "include", title: "an include", summary: "A file outside of this one's folder.",
    keys: [
      Key(name: "file", summary: "The file, relative to this one.", shape: .text, isRequired: true),
      Key(name: "outside", summary: "true for a file that lies outside of this one's folder.", shape: .boolean),
    ])

  /// What a file may hold that others include.
  static let part = Vocabulary(
    name: "part", title: "an included file", summary: "Steps and sessions for the scenarios that include the file.",
    keys: [
      Key(name: "about", summary: "What the file holds.", shape: .text), includeKey, namedStepsKey,
      Key(
        name: "sessions", summary: "What users do, by the kind of user.",
        shape: .names(.vocabulary("session"), summary: "The session's name.")),
    ])

  static let settings = Vocabulary(
    name: "settings", title: "settings", summary: "How requests are sent. Nothing is retried.",
    keys: [
      Key(name: "timeout", summary: "From send to last byte; 30s by default.", shape: .duration),
      Key(name: "connect-timeout", summary: "Until the connection stands; 5s by default.", shape: .duration),
      Key(name: "max-body", summary: "Answers are cut off behind this size; 8MB by default.", shape: .size),
      Key(
        name: "http", summary: "auto takes HTTP/2 where TLS offers it.", shape: .choice(["auto", "1.1", "2"])),
      Key(
        name: "redirects", summary: "How many redirects of a request are followed, each counted; 0 by default.",
        shape: .whole(atLeast: 0)),
      Key(name: "tls", summary: "Whom to trust, and who the users are.", shape: .vocabulary("tls")),
      Key(
        name: "proxy", summary: "The proxy's URL instead of the environment's; an empty text for none.", shape: .text),
      Key(name: "compression", summary: "Whether gzip is asked for; true by default.", shape: .boolean),
      Key(
        name: "grace", summary: "How long sessions may run on after the last arrival; 10s by default.",
        shape: .duration),
      Key(
        name: "abort-after",
        summary: "Ends the load when nothing was answered for so long though requests were sent; 10s by default.",
        shape: .either([.duration, .choice(["off"]), .vocabulary("abort-after")])),
    ])

  static let abortAfter = Vocabulary(
    name: "abort-after", title: "an abort-after", summary: "What ends the load before its end.",
    keys: [
      Key(
        name: "silence", summary: "Nothing was answered for so long though requests were sent; 10s by default.",
        shape: .either([.duration, .choice(["off"])])),
      Key(
        name: "lost",
        summary: "From so much of the load on, a budget that no rest of the load could keep; off by default.",
        shape: .either([.duration, .choice(["off"])])),
    ])

  static let tls = Vocabulary(
    name: "tls", title: "tls", summary: "Which certificates are trusted, and which one the users show.",
    keys: [
      Key(name: "ca-file", summary: "A PEM file of authorities, relative to this file.", shape: .text),
      Key(
        name: "cert",
        summary: "A PEM file with the certificate that users show, relative to this file; --cert replaces it.",
        shape: .text),
      Key(
        name: "key", summary: "A PEM file with its private key; by default it stands in the certificate's file.",
        shape: .text),
      Key(name: "passphrase", summary: "Of the key: ${env(NAME)}.", shape: .textTemplate),
      Key(name: "insecure", summary: "true checks no certificate.", shape: .boolean),
    ])

  static let feed = Vocabulary(
    name: "feed", title: "a feed", summary: "Rows of a CSV file (RFC 4180, with a header line) or of a JSON array.",
    keys: [
      Key(
        name: "file", summary: "A .csv, .json or .jsonl file, relative to this file.", shape: .text, isRequired: true),
      Key(
        name: "order", summary: "sequential by default; shuffled takes every row once a round.",
        shape: .choice(Feed.Order.allCases.map(\.rawValue))),
      Key(
        name: "at-end", summary: "loop begins again (default); stop begins no further session that needs a row.",
        shape: .choice(Feed.AtEnd.allCases.map(\.rawValue))),
      Key(
        name: "per", summary: "Who takes the next row: every session (default), or every user its own.",
        shape: .choice(Feed.Unit.allCases.map(\.rawValue))),
    ])
}
