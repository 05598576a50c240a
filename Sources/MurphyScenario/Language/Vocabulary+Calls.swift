extension Vocabulary {
  /// Keys of a request. They may also be within a type, repeat, burst, if or group that contains only one call.
  static let callKeys: [Key] = [
    Key(
      "call",
      "The operation's operationId, or METHOD /path as in the contract; or a request outside of the contract: { "
        + "method: POST, url: /laws/1/vote }.", .either([.text, .vocabulary("request")])),
    Key("path", "Path parameters.", .names(.template, "The parameter's name.")),
    Key(
      "url",
      "Path and query from a response, instead of the operation's own: ${next}. They must match the operation.",
      .textTemplate),
    Key("query", "Query parameters; null leaves one out.", .names(.template, "The parameter's name.")),
    Key("headers", "Request headers; null leaves one out.", .names(.template, "The header's name.")),
    Key("cookies", "Cookies in addition to those that the user keeps.", .names(.template, "The cookie's name.")),
    Key("body", "The body, sent as JSON.", .template),
    Key("form", "The body, sent as application/x-www-form-urlencoded.", .names(.template, "The field's name.")),
    Key("text", "The body, sent unchanged.", .textTemplate),
    Key(
      "multipart", "The body's parts, sent as multipart/form-data: strings, files, or lists of them under one name.",
      .names(
        .either([
          .textTemplate, .vocabulary("multipart-part"), .list(.either([.textTemplate, .vocabulary("multipart-part")])),
        ]), "The part's name.")),
    Key("file", "The body: the content of a file, relative to this one, read once; 64 MiB at most.", .text),
    Key(
      "graphql",
      "The body: a GraphQL request, sent as JSON. A response with errors is a finding, unless the step expects "
        + "$.errors.", .vocabulary("graphql")),
    Key("content-type", "The body's media type, if it is not the usual one.", .text),
    Key(
      "save", "Parts of a 2xx response (or one with an expected status) to keep under a name.",
      .names(.either([.path, .vocabulary("save")]), "The name.")),
    Key("expect", "Checks of the response in addition to the contract.", .vocabulary("check")),
    Key(
      "on",
      "What the user does on a status (429, 4XX) or an error without a response: wait, continue, end, or steps after "
        + "which the session continues; offline is a read without a network and without a cached response.",
      .names(.either([.choice(of: Reaction.self), .steps]), "A status, a class of them, error, or offline.")),
    Key("retry", "Outcomes after which the client retries the request automatically.", .vocabulary("retry")),
    Key(
      "cache", "How long the user's client caches the response and does not repeat the request: 1h.",
      .either([.duration, .vocabulary("cache")])),
    Key(
      "dedupe", "How long after a request the user's client sends no equal request, but shares its response: 5s.",
      .duration),
    Key(
      "optimistic",
      "What the client shows before the response, by name: { score: \"${score + 1}\" }; reverted if the API rejects "
        + "the request.", .names(.template, "The name.")),
    Key(
      "tags",
      "Tags that also group the results of its requests, in addition to the tags of its session; for a step with "
        + "steps, of all requests in it.", .texts),
    Key("timeout", "The timeout of this call, instead of the settings' timeout.", .duration),
    Key(
      "stream", "How long a stream of events (text/event-stream) is read before the client closes it; 1s by default.",
      .either([.duration, .vocabulary("stream")])),
  ]

  /// The same if steps are not allowed in place of the call.
  static let requiredCallKeys = callKeys.map {
    Key($0.name, $0.summary, $0.shape, isRequired: $0.name == "call")
  }

  static let request = Vocabulary(
    name: "request", title: "a request outside of the contract",
    summary: "A request that no operation describes: its responses are counted as unchecked.",
    Key("method", "GET by default.", .choice(of: UndocumentedRequest.Method.self)),
    Key("url", "Path and query, appended to the target: /laws/${pick(ids)}/vote.", .textTemplate, isRequired: true))

  static let cache = Vocabulary(
    name: "cache", title: "a cache", summary: "What the user's client caches.",
    Key("for", "How long it is cached.", .duration, isRequired: true),
    Key("refresh", "true sends the request anyway: pull to refresh.", .boolean))

  static let stream = Vocabulary(
    name: "stream", title: "a stream", summary: "When the client closes a stream of events.",
    Key("for", "How long it is read, counted from its headers; 1s by default, and 30s with events.", .duration),
    Key("events", "The number of events after which it is closed, if that comes first.", .whole(atLeast: 1)))

  static let save = Vocabulary(
    name: "save", title: "a save", summary: "What to keep of a response.",
    Key("path", "A JSONPath query (RFC 9535) into the body.", .path),
    Key("header", "A response header's name.", .text),
    Key("status", "true keeps the status.", .boolean),
    Key(
      "cookie",
      "A cookie's name: keeps the value that the response sets, otherwise the user's own; masked in every output.",
      .text),
    Key(
      "link",
      "A relation of the Link header (RFC 8288), such as next: keeps the path and query of its URL, which must be at "
        + "the target.", .text),
    Key(
      "pattern",
      "A regular expression (ECMA-262): keeps what its first group matches in the body, or in the string that "
        + "another key finds.", .text),
    Key("default", "Used if there is nothing to keep.", .template),
    Key("secret", "true masks the value, and everything derived from it, in every output.", .boolean),
    alternatives: [["path", "header", "status", "cookie", "link", "pattern"]], companions: ["pattern"])

  static let graphQL = Vocabulary(
    name: "graphql", title: "a graphql", summary: "A GraphQL request: a query, a mutation.",
    Key("query", "The document, with one operation or more.", .textTemplate, isRequired: true),
    Key("variables", "Values for the variables of the operation.", .template),
    Key("operation", "The operation of the document to run.", .textTemplate))

  static let multipartPart = Vocabulary(
    name: "multipart-part", title: "a part of multipart", summary: "One part of a multipart body.",
    Key("value", "Its content; a list or an object is sent as JSON.", .template),
    Key("file", "Its content: a file, relative to this one, read once; 64 MiB at most.", .text),
    Key(
      "name", "The file name sent to the server, which makes a value a file; a file's own by default.",
      .text),
    Key("type", "Its media type; derived from a file's name by default.", .text),
    alternatives: [["value", "file"]])
}
