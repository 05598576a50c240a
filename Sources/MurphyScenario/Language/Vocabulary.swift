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
      "The operation to call. Write its operationId, or its method and path as in the contract, such as GET /laws. For "
        + "a request that the contract does not describe, write an object: { method: POST, url: /laws/1/vote }.",
      .either([.text, .vocabulary("request")])),
    Key(
      "path",
      "The values of the path parameters of the called operation, by parameter name.",
      .names(.template, "The parameter's name.")),
    Key(
      "url",
      "The path and query that murphy requests instead of those of the operation, such as ${next} from an earlier "
        + "response. The path must match the path of the operation in the contract.",
      .textTemplate),
    Key(
      "query", "The query parameters of the request, by name. Murphy does not send a parameter whose value is null.",
      .names(.template, "The parameter's name.")),
    Key(
      "headers", "The headers of the request, by name. Murphy does not send a header whose value is null.",
      .names(.template, "The header's name.")),
    Key(
      "cookies", "Cookies that murphy sends in addition to the stored cookies of the user.",
      .names(.template, "The cookie's name.")),
    Key("body", "The request body, which murphy sends as JSON.", .template),
    Key(
      "form", "The form fields of the request body, which murphy sends as application/x-www-form-urlencoded.",
      .names(.template, "The field's name.")),
    Key("text", "The request body, which murphy sends unchanged as text.", .textTemplate),
    Key(
      "multipart",
      "The parts of a multipart/form-data request body, by name. The value of a name is a string, a file, or a list of "
        + "strings and files.",
      .names(
        .either([
          .textTemplate, .vocabulary("multipart-part"), .list(.either([.textTemplate, .vocabulary("multipart-part")])),
        ]), "The part's name.")),
    Key(
      "file",
      "The path of a file that contains the request body. The path is relative to the scenario file that contains the "
        + "step. Murphy reads the file once. The maximum file size is 64 MiB.", .text),
    Key(
      "graphql",
      "A GraphQL request, which murphy sends as JSON. If the response contains GraphQL errors, murphy reports a "
        + "finding, unless the step has an expectation for $.errors.", .vocabulary("graphql")),
    Key(
      "content-type",
      "The media type of the request body. Without `content-type`, the media type depends on the key that contains the "
        + "body. For example, the media type of `body` is application/json.", .text),
    Key(
      "save",
      "Values of the response that murphy saves for later steps, by variable name. Murphy saves the values only if the "
        + "status is 2xx or an expected status.",
      .names(.either([.path, .vocabulary("save")]), "The name of the saved value.")),
    Key(
      "expect",
      "Checks of the response that murphy makes in addition to the checks against the contract.", .vocabulary("check")),
    Key(
      "on",
      "The user's reactions to the results of the request. Each key is a status, a class such as 4XX, `error` (no "
        + "response), or `offline` (a read without a cached response). Each value is `wait`, `continue`, `end`, or a "
        + "list of steps. After these steps, the session continues.",
      .names(
        .either([.choice(of: Reaction.self), .steps]),
        "A status, a class of statuses such as 4XX, `error` (no response), or `offline` (a read without a cached "
          + "response).")),
    Key(
      "retry",
      "The results of the request after which the client automatically sends the request again.", .vocabulary("retry")),
    Key(
      "cache",
      "The time for which the user's client caches the response, such as 1h. While the response is in the cache, the "
        + "client does not send the same request again.",
      .either([.duration, .vocabulary("cache")])),
    Key(
      "dedupe",
      "The time after a request in which the user's client does not send an equal request, such as 5s. The client uses "
        + "the response to the first request for both requests.",
      .duration),
    Key(
      "optimistic",
      "Variables that the client sets before it receives the response, such as { score: \"${score + 1}\" }. If the API "
        + "rejects the request, the client restores the old values.", .names(.template, "The name of the value.")),
    Key(
      "tags",
      "Tags that group the results of all requests in the step. Murphy adds these tags to the tags of the session.",
      .texts),
    Key("timeout", "The timeout of this call, in place of the timeout in the settings of the scenario.", .duration),
    Key(
      "stream",
      "How long the client reads an event stream (text/event-stream) before the client closes the stream; 1s by "
        + "default.",
      .either([.duration, .vocabulary("stream")])),
  ]

  /// The same if steps are not allowed in place of the call.
  static let requiredCallKeys = callKeys.map {
    Key($0.name, $0.summary, $0.shape, isRequired: $0.name == "call")
  }

  static let request = Vocabulary(
    name: "request", title: "a request outside of the contract",
    summary: "A request that the contract does not describe. Murphy counts responses to this request as unchecked.",
    Key("method", "The HTTP method of the request; GET by default.", .choice(of: UndocumentedRequest.Method.self)),
    Key(
      "url",
      "The path and query of the request, such as /laws/${pick(ids)}/vote. Murphy appends this path to the URL of the "
        + "target.", .textTemplate,
      isRequired: true))

  static let cache = Vocabulary(
    name: "cache", title: "a cache rule", summary: "How the client of a virtual user caches a response.",
    Key("for", "How long the client caches the response, such as 1h.", .duration, isRequired: true),
    Key(
      "refresh",
      "If true, the client sends the request even if it has a cached response, for example after a pull to refresh.",
      .boolean))

  static let stream = Vocabulary(
    name: "stream", title: "a stream", summary: "When the client closes an event stream.",
    Key(
      "for",
      "How long the client reads the event stream after the response headers; 1s by default. With `events`, the "
        + "default is 30s.", .duration),
    Key(
      "events",
      "The number of events after which the client closes the event stream. If the time in `for` ends earlier, the "
        + "client closes the stream after this time.",
      .whole(atLeast: 1)))

  static let save = Vocabulary(
    name: "save", title: "a saved value", summary: "A value of a response that murphy saves.",
    Key("path", "A JSONPath query (RFC 9535) that selects the value in the response body.", .path),
    Key("header", "The name of the response header whose value murphy saves.", .text),
    Key("status", "If true, murphy saves the HTTP status of the response.", .boolean),
    Key(
      "cookie",
      "The name of the cookie whose value murphy saves. If the response does not set the cookie, murphy saves the "
        + "stored value of the user. Murphy masks the value in all outputs.",
      .text),
    Key(
      "link",
      "A link relation in the Link header of the response (RFC 8288), such as next. Murphy saves the path and query of "
        + "the link. The link must be a URL of the target.", .text),
    Key(
      "pattern",
      "A regular expression (ECMA-262) for the response body, or for the value that another key selects. Murphy saves "
        + "the text that the first group matches, or the whole match if the expression has no group.", .text),
    Key("default", "The value that murphy saves if the response does not contain the selected value.", .template),
    Key("secret", "If true, murphy masks the saved value, and each value derived from it, in all outputs.", .boolean),
    alternatives: [["path", "header", "status", "cookie", "link", "pattern"]], companions: ["pattern"])

  static let graphQL = Vocabulary(
    name: "graphql", title: "a graphql request", summary: "A GraphQL request (a query or a mutation).",
    Key(
      "query",
      "The GraphQL document with one or more GraphQL operations.", .textTemplate, isRequired: true),
    Key("variables", "The values of the variables of the GraphQL operation.", .template),
    Key(
      "operation",
      "The name of the GraphQL operation that the API runs, if the GraphQL document contains several operations.",
      .textTemplate))

  static let multipartPart = Vocabulary(
    name: "multipart-part", title: "a part of multipart", summary: "One part of a multipart/form-data request body.",
    Key("value", "The content of the part. Murphy sends a list or an object as JSON.", .template),
    Key(
      "file",
      "The path of a file that contains the content of the part. The path is relative to the scenario file that "
        + "contains the step. Murphy reads the file once. The maximum file size is 64 MiB.", .text),
    Key(
      "name",
      "The file name that murphy sends with the part; the file's own name by default. If a part with `value` has a "
        + "file name, murphy sends the value as a file.",
      .text),
    Key("type", "The media type of the part; for a file, derived from the file name by default.", .text),
    alternatives: [["value", "file"]])
}
