extension Vocabulary {
  /// Keys of a request; also within a type, repeat, burst, if or group that holds only one call.
  static let callKeys: [Key] = [
    Key(
      name: "call",
      summary: "The operation's operationId, or METHOD /path as the contract has it; or a request outside of the "
        + "contract: { method: POST, url: /laws/1/vote }.",
      shape: .either([.text, .vocabulary("request")])),
    Key(
      name: "path", summary: "Path parameters.", shape: .names(.template, summary: "The parameter's name.")),
    Key(
      name: "url",
      summary: "Path and query instead of the operation's own, as an answer gave them: ${next}. It must be one of the "
        + "operation's.", shape: .textTemplate),
    Key(
      name: "query", summary: "Query parameters; null leaves one out.",
      shape: .names(.template, summary: "The parameter's name.")),
    Key(
      name: "headers", summary: "Request headers; null leaves one out.",
      shape: .names(.template, summary: "The header's name.")),
    Key(
      name: "cookies", summary: "Cookies besides those the user keeps.",
      shape: .names(.template, summary: "The cookie's name.")),
    Key(name: "body", summary: "The body, sent as JSON.", shape: .template),
    Key(
      name: "form", summary: "The body, sent as application/x-www-form-urlencoded.",
      shape: .names(.template, summary: "The field's name.")),
    Key(name: "text", summary: "The body, sent as it is.", shape: .textTemplate),
    Key(
      name: "multipart",
      summary: "The body's parts, sent as multipart/form-data: texts, files, or lists of them under one name.",
      shape: .names(
        .either([
          .textTemplate, .vocabulary("multipart-part"), .list(.either([.textTemplate, .vocabulary("multipart-part")])),
        ]),
        summary: "The part's name.")),
    Key(
      name: "file",
      summary: "The body: all of a file, relative to this one, read once; 64 MiB at most.", shape: .text),
    Key(
      name: "graphql",
      summary: "The body: a GraphQL request, sent as JSON. An answer with errors is a finding, unless the step expects "
        + "$.errors.", shape: .vocabulary("graphql")),
    Key(name: "content-type", summary: "The body's media type, where it is not the usual one.", shape: .text),
    Key(
      name: "save", summary: "Parts of a 2xx answer (or one with an expected status) to keep under a name.",
      shape: .names(.either([.path, .vocabulary("save")]), summary: "The name.")),
    Key(name: "expect", summary: "What the answer must show beyond the contract.", shape: .vocabulary("check")),
    Key(
      name: "on",
      summary: "What the user does on a status (429, 4XX) or an error without an answer: wait, continue, end, or steps "
        + "after which it goes on; offline is a read without a network and without a kept answer.",
      shape: .names(
        .either([.choice(Reaction.allCases.map(\.rawValue)), .list(.vocabulary("step"))]),
        summary: "A status, a class of them, error, or offline.")),
    Key(
      name: "retry", summary: "Outcomes after which the client sends the request again by itself.",
      shape: .vocabulary("retry")),
    Key(
      name: "cache", summary: "How long the user's client keeps the answer and sends the same request no more: 1h.",
      shape: .either([.duration, .vocabulary("cache")])),
    Key(
      name: "dedupe",
      summary: "How long after a request the user's client sends no other one like it, and takes its answer: 5s.",
      shape: .duration),
    Key(
      name: "optimistic",
      summary: "What the client shows before the answer, by name: { score: \"${score + 1}\" }; taken back when the API "
        + "refuses.",
      shape: .names(.template, summary: "The name.")),
    Key(
      name: "tags",
      summary: "Names under which the figures of its requests stand together, too, besides those of its session; of a "
        + "step with steps, those of all requests in it.", shape: .either([.text, .list(.text)])),
    Key(name: "timeout", summary: "Instead of the settings' timeout.", shape: .duration),
    Key(
      name: "stream",
      summary: "How long a stream of events (text/event-stream) is read before the client closes it; 1s by default.",
      shape: .either([.duration, .vocabulary("stream")])),
  ]

  static let request = Vocabulary(
    name: "request", title: "a request outside of the contract",
    summary: "A request that no operation describes: its answers are counted as unchecked.",
    keys: [
      Key(
        name: "method", summary: "GET by default.",
        shape: .choice(UndocumentedRequest.Method.allCases.map(\.rawValue))),
      Key(
        name: "url", summary: "Path and query behind the target: /laws/${pick(ids)}/vote.", shape: .textTemplate,
        isRequired: true),
    ])

  static let cache = Vocabulary(
    name: "cache", title: "a cache", summary: "What the user's client keeps.",
    keys: [
      Key(name: "for", summary: "How long it is kept.", shape: .duration, isRequired: true),
      Key(name: "refresh", summary: "true sends the request all the same: pull to refresh.", shape: .boolean),
    ])

  static let stream = Vocabulary(
    name: "stream", title: "a stream", summary: "When the client closes a stream of events.",
    keys: [
      Key(
        name: "for", summary: "How long it is read, from its header section; 1s by default, and 30s with events.",
        shape: .duration),
      Key(
        name: "events", summary: "After how many events it is closed, if that comes first.", shape: .whole(atLeast: 1)),
    ])

  static let save = Vocabulary(
    name: "save", title: "a save", summary: "What to keep of an answer.",
    keys: [
      Key(name: "path", summary: "A JSONPath query (RFC 9535) into the body.", shape: .path),
      Key(name: "header", summary: "A response header's name.", shape: .text),
      Key(name: "status", summary: "true keeps the status.", shape: .boolean),
      Key(
        name: "cookie",
        summary: "A cookie's name: what the answer sets it to, or else what the user has; a secret in every output.",
        shape: .text),
      Key(
        name: "link",
        summary: "A relation of the Link header (RFC 8288), such as next: the path and query of where it leads, which "
          + "is at the target.", shape: .text),
      Key(
        name: "pattern",
        summary: "A regular expression (ECMA-262): what its first group holds in the body, or in the text that another "
          + "key finds.", shape: .text),
      Key(name: "default", summary: "Taken when there is nothing to keep.", shape: .template),
      Key(
        name: "secret", summary: "true masks the value, and all that is made of it, in every output.", shape: .boolean),
    ], alternatives: [["path", "header", "status", "cookie", "link", "pattern"]], companions: ["pattern"])

  static let graphQL = Vocabulary(
    name: "graphql", title: "a graphql", summary: "A GraphQL request: a query, a mutation.",
    keys: [
      Key(name: "query", summary: "The document, with one operation or more.", shape: .textTemplate, isRequired: true),
      Key(name: "variables", summary: "Values for the variables of the operation.", shape: .template),
      Key(name: "operation", summary: "Which operation of the document is meant.", shape: .textTemplate),
    ])

  static let multipartPart = Vocabulary(
    name: "multipart-part", title: "a part of multipart", summary: "One part of a multipart body.",
    keys: [
      Key(
        name: "value", summary: "Its content; a list or an object is sent as JSON.", shape: .template),
      Key(
        name: "file", summary: "Its content: all of a file, relative to this one, read once; 64 MiB at most.",
        shape: .text),
      Key(
        name: "name",
        summary: "The file name that the server is told, with which a value is a file to it; a file's own by default.",
        shape: .text),
      Key(
        name: "type", summary: "Its media type; for a file what its name stands for by default.", shape: .text),
    ], alternatives: [["value", "file"]])
}
