/// The keys of one kind of mapping. The reader's checks and the JSON Schema are derived from it.
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
  /// Exactly one of each group must be present.
  var alternatives: [[String]] = []
  /// The alternatives that may also be combined with another.
  var companions: Set<String> = []

  subscript(name: String) -> Key? { keys.first { $0.name == name } }
}

extension Vocabulary {
  init(
    name: String, title: String, summary: String, _ keys: Key..., alternatives: [[String]] = [],
    companions: Set<String> = []
  ) {
    self.init(
      name: name, title: title, summary: summary, keys: keys, alternatives: alternatives, companions: companions)
  }
}

/// The possible values of a key, for the schema. The reader implements them in code.
indirect enum Shape: Sendable {
  case text
  /// String, number, boolean, null, list or mapping, with `${…}` in its strings.
  case template
  /// A string that may contain `${…}`.
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
  /// An unquoted `null`.
  case null

  static let texts = Shape.either([.text, .list(.text)])
  static let steps = Shape.list(.vocabulary("step"))

  /// One of the names of an enumeration.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> Shape {
    .choice(Choice.allCases.map(\.rawValue))
  }
}

extension Vocabulary {
  /// Keys of a request. They may also be within a type, repeat, burst, if or group that contains only one call.
  static let callKeys: [Key] = [
    Key(
      "call",
      "The operation to call: its operationId, or METHOD /path as in the contract. For a request outside "
        + "of the contract, write an object: { method: POST, url: /laws/1/vote }.",
      .either([.text, .vocabulary("request")])),
    Key("path", "The values of the operation's path parameters.", .names(.template, "The parameter's name.")),
    Key(
      "url",
      "The path and query of the request, saved from a response, such as ${next}. They replace the "
        + "operation's own path, and must match the operation.",
      .textTemplate),
    Key(
      "query", "The query parameters of the request. The value null omits a parameter.",
      .names(.template, "The parameter's name.")),
    Key(
      "headers", "The headers of the request. The value null omits a header.", .names(.template, "The header's name.")),
    Key(
      "cookies", "Cookies that the request sends in addition to the user's stored cookies.",
      .names(.template, "The cookie's name.")),
    Key("body", "The request body, sent as JSON.", .template),
    Key(
      "form", "The fields of the request body, sent as application/x-www-form-urlencoded.",
      .names(.template, "The field's name.")),
    Key("text", "The request body, sent unchanged as text.", .textTemplate),
    Key(
      "multipart",
      "The parts of the request body, which is sent as multipart/form-data. Under each name, write a "
        + "string, a file, or a list of strings and files.",
      .names(
        .either([
          .textTemplate, .vocabulary("multipart-part"), .list(.either([.textTemplate, .vocabulary("multipart-part")])),
        ]), "The part's name.")),
    Key(
      "file",
      "The path of a file with the request body, relative to the file with this step. Murphy reads the file "
        + "once; its maximum size is 64 MiB.", .text),
    Key(
      "graphql",
      "A GraphQL request, which is sent as JSON. A response with GraphQL errors is a finding, unless the "
        + "step expects $.errors.", .vocabulary("graphql")),
    Key(
      "content-type",
      "The media type of the request body. Without content-type, the key of the body decides: for "
        + "example, body means application/json.", .text),
    Key(
      "save",
      "Values of the response to save, each under a name. Murphy saves them only if the status is 2xx or "
        + "an expected status.",
      .names(.either([.path, .vocabulary("save")]), "The name of the saved value.")),
    Key("expect", "Checks of the response, in addition to the checks against the contract.", .vocabulary("check")),
    Key(
      "on",
      "What the user does after a status (429, 4XX), after an error without a response, or if a read "
        + "fails offline. The values are wait, continue, end, or steps. After the steps, the session "
        + "continues.",
      .names(
        .either([.choice(of: Reaction.self), .steps]),
        "A status, a class of statuses (4XX), "
          + "error, or offline.")),
    Key("retry", "The results after which the client sends the request again automatically.", .vocabulary("retry")),
    Key(
      "cache",
      "The time for which the user's client caches the response, such as 1h. During this time, the "
        + "client does not send the request again.",
      .either([.duration, .vocabulary("cache")])),
    Key(
      "dedupe",
      "For this time, such as 5s, the user's client does not send an equal request again. The client "
        + "uses the first response for both requests.",
      .duration),
    Key(
      "optimistic",
      "The values that the client shows before it has the response: { score: \"${score + 1}\" }. The "
        + "client restores the old values if the API rejects the request.", .names(.template, "The name of the value.")),
    Key(
      "tags",
      "Tags that group the results of all requests in the step, in addition to the tags of the session.", .texts),
    Key("timeout", "The timeout of this call, which replaces the timeout in the scenario's settings.", .duration),
    Key(
      "stream",
      "The time for which the client reads a stream of events (text/event-stream) before it closes the "
        + "stream; 1s by default.",
      .either([.duration, .vocabulary("stream")])),
  ]

  /// The same if steps are not allowed in place of the call.
  static let requiredCallKeys = callKeys.map {
    Key($0.name, $0.summary, $0.shape, isRequired: $0.name == "call")
  }

  static let request = Vocabulary(
    name: "request", title: "a request outside of the contract",
    summary: "A request that no operation of the contract describes. Its responses are counted as unchecked.",
    Key("method", "The HTTP method; GET by default.", .choice(of: UndocumentedRequest.Method.self)),
    Key(
      "url",
      "The path and query of the request, such as /laws/${pick(ids)}/vote. Murphy appends them to the "
        + "URL of the target.", .textTemplate,
      isRequired: true))

  static let cache = Vocabulary(
    name: "cache", title: "a cache", summary: "How the client of a user caches a response.",
    Key("for", "How long the client caches the response.", .duration, isRequired: true),
    Key(
      "refresh",
      "If true, the client sends the request even if a cached response exists, for example after a "
        + "pull to refresh.",
      .boolean))

  static let stream = Vocabulary(
    name: "stream", title: "a stream", summary: "When the client closes a stream of events.",
    Key(
      "for",
      "The time for which the client reads the stream after the response headers; 1s by default, and 30s "
        + "with events.", .duration),
    Key(
      "events",
      "The number of events after which the client closes the stream. If the time of for ends earlier, "
        + "the client closes the stream then.",
      .whole(atLeast: 1)))

  static let save = Vocabulary(
    name: "save", title: "a save", summary: "A value to save from a response.",
    Key("path", "A JSONPath query (RFC 9535) that selects the value in the response body.", .path),
    Key("header", "The name of the response header to save.", .text),
    Key("status", "If true, murphy saves the status of the response.", .boolean),
    Key(
      "cookie",
      "The name of the cookie to save. Murphy saves the value that the response sets, or else the user's "
        + "stored value. All outputs mask the value.",
      .text),
    Key(
      "link",
      "A relation of the Link header (RFC 8288), such as next. Murphy saves the path and query of the "
        + "link, which must be a URL of the target.", .text),
    Key(
      "pattern",
      "A regular expression (ECMA-262) for the response body, or for the string that another key "
        + "selects. Murphy saves the text that its first group matches.", .text),
    Key("default", "The value to save if the response does not have the selected value.", .template),
    Key("secret", "If true, all outputs mask the saved value, and each value that is derived from it.", .boolean),
    alternatives: [["path", "header", "status", "cookie", "link", "pattern"]], companions: ["pattern"])

  static let graphQL = Vocabulary(
    name: "graphql", title: "a graphql", summary: "A GraphQL request (a query or a mutation).",
    Key(
      "query",
      "The GraphQL document, which contains one or more GraphQL "
        + "operations.", .textTemplate, isRequired: true),
    Key("variables", "The values of the variables of the GraphQL operation.", .template),
    Key(
      "operation", "The name of the GraphQL operation to run, if the GraphQL document has several operations.",
      .textTemplate))

  static let multipartPart = Vocabulary(
    name: "multipart-part", title: "a part of multipart", summary: "One part of a multipart body.",
    Key("value", "The content of the part. A list or an object is sent as JSON.", .template),
    Key(
      "file",
      "The path of a file with the content of the part, relative to the file with this step. Murphy reads the "
        + "file once; its maximum size is 64 MiB.", .text),
    Key(
      "name",
      "The file name that murphy sends to the server; the file's own name by default. With a file name, "
        + "murphy sends a value as a file.",
      .text),
    Key("type", "The media type of the part; for a file, derived from the file name by default.", .text),
    alternatives: [["value", "file"]])
}
