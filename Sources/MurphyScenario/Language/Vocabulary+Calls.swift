extension Vocabulary {
  /// Keys of a request. They may also be within a type, repeat, burst, if or group that contains only one call.
  static let callKeys: [Key] = [
    Key(
      "call",
      "The operation's operationId, or METHOD /path as the contract has it; or a request outside of the "
        + "contract: { method: POST, url: /laws/1/vote }.", .either([.text, .vocabulary("request")])),
    Key("path", "Path parameters.", .names(.template, "The parameter's name.")),
    Key(
      "url",
      "Path and query instead of the operation's own, as a response gave them: ${next}. It must be one of the "
        + "operation's.", .textTemplate),
    Key("query", "Query parameters; null leaves one out.", .names(.template, "The parameter's name.")),
    Key("headers", "Request headers; null leaves one out.", .names(.template, "The header's name.")),
    Key("cookies", "Cookies besides those the user keeps.", .names(.template, "The cookie's name.")),
    Key("body", "The body, sent as JSON.", .template),
    Key("form", "The body, sent as application/x-www-form-urlencoded.", .names(.template, "The field's name.")),
    Key("text", "The body, sent as it is.", .textTemplate),
    Key(
      "multipart", "The body's parts, sent as multipart/form-data: texts, files, or lists of them under one name.",
      .names(
        .either([
          .textTemplate, .vocabulary("multipart-part"), .list(.either([.textTemplate, .vocabulary("multipart-part")])),
        ]), "The part's name.")),
    Key("file", "The body: all of a file, relative to this one, read once; 64 MiB at most.", .text),
    Key(
      "graphql",
      "The body: a GraphQL request, sent as JSON. A response with errors is a finding, unless the step expects "
        + "$.errors.", .vocabulary("graphql")),
    Key("content-type", "The body's media type, where it is not the usual one.", .text),
    Key(
      "save", "Parts of a 2xx response (or one with an expected status) to keep under a name.",
      .names(.either([.path, .vocabulary("save")]), "The name.")),
    Key("expect", "What the response must show beyond the contract.", .vocabulary("check")),
    Key(
      "on",
      "What the user does on a status (429, 4XX) or an error without a response: wait, continue, end, or steps "
        + "after which it goes on; offline is a read without a network and without a kept response.",
      .names(.either([.choice(of: Reaction.self), .steps]), "A status, a class of them, error, or offline.")),
    Key("retry", "Outcomes after which the client sends the request again by itself.", .vocabulary("retry")),
    Key(
      "cache", "How long the user's client keeps the response and sends the same request no more: 1h.",
      .either([.duration, .vocabulary("cache")])),
    Key(
      "dedupe", "How long after a request the user's client sends no other one like it, and takes its response: 5s.",
      .duration),
    Key(
      "optimistic",
      "What the client shows before the response, by name: { score: \"${score + 1}\" }; taken back when the API "
        + "refuses.", .names(.template, "The name.")),
    Key(
      "tags",
      "Names under which the figures of its requests stand together, too, besides those of its session; of a "
        + "step with steps, those of all requests in it.", .texts),
    Key("timeout", "Instead of the settings' timeout.", .duration),
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
    Key("url", "Path and query behind the target: /laws/${pick(ids)}/vote.", .textTemplate, isRequired: true))

  static let cache = Vocabulary(
    name: "cache", title: "a cache", summary: "What the user's client keeps.",
    Key("for", "How long it is kept.", .duration, isRequired: true),
    Key("refresh", "true sends the request all the same: pull to refresh.", .boolean))

  static let stream = Vocabulary(
    name: "stream", title: "a stream", summary: "When the client closes a stream of events.",
    Key("for", "How long it is read, from its header section; 1s by default, and 30s with events.", .duration),
    Key("events", "After how many events it is closed, if that comes first.", .whole(atLeast: 1)))

  static let save = Vocabulary(
    name: "save", title: "a save", summary: "What to keep of a response.",
    Key("path", "A JSONPath query (RFC 9535) into the body.", .path),
    Key("header", "A response header's name.", .text),
    Key("status", "true keeps the status.", .boolean),
    Key(
      "cookie", "A cookie's name: what the response sets it to, or else what the user has; a secret in every output.",
      .text),
    Key(
      "link",
      "A relation of the Link header (RFC 8288), such as next: the path and query of where it leads, which "
        + "is at the target.", .text),
    Key(
      "pattern",
      "A regular expression (ECMA-262): what its first group holds in the body, or in the text that another "
        + "key finds.", .text),
    Key("default", "Taken when there is nothing to keep.", .template),
    Key("secret", "true masks the value, and all that is made of it, in every output.", .boolean),
    alternatives: [["path", "header", "status", "cookie", "link", "pattern"]], companions: ["pattern"])

  static let graphQL = Vocabulary(
    name: "graphql", title: "a graphql", summary: "A GraphQL request: a query, a mutation.",
    Key("query", "The document, with one operation or more.", .textTemplate, isRequired: true),
    Key("variables", "Values for the variables of the operation.", .template),
    Key("operation", "Which operation of the document is meant.", .textTemplate))

  static let multipartPart = Vocabulary(
    name: "multipart-part", title: "a part of multipart", summary: "One part of a multipart body.",
    Key("value", "Its content; a list or an object is sent as JSON.", .template),
    Key("file", "Its content: all of a file, relative to this one, read once; 64 MiB at most.", .text),
    Key(
      "name", "The file name that the server is told, with which a value is a file to it; a file's own by default.",
      .text),
    Key("type", "Its media type; for a file what its name stands for by default.", .text),
    alternatives: [["value", "file"]])
}
