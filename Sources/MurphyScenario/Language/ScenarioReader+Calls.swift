import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  /// The call whose keys are in `entries`.
  func call(_ entries: Entries) -> CallStep? {
    guard let node = entries["call"], let operation = calledOperation(node) else { return nil }
    var call = CallStep(operation: operation, mark: sourceMark(node))
    call.number = stepPath.joined(separator: ".")
    call.path = templates(entries["path"], "path")
    call.url = url(entries)
    call.query = templates(entries["query"], "query")
    call.headers = templates(entries["headers"], "headers")
    call.cookies = templates(entries["cookies"], "cookies")
    call.body = body(of: entries)
    call.isGraphQL = entries.has("graphql")
    call.places = places(entries)
    call.tags = tags(entries["tags"])
    call.timeout = duration(entries["timeout"], "a timeout", positive: true)
    call.stream = stream(entries["stream"])
    call.checks = checks(entries["expect"])
    call.retry = retry(entries["retry"])
    call.reuse = reuse(entries)
    call.isWrite = isWrite(operation)
    call.optimistic = optimistic(entries, isWrite: call.isWrite)
    // Last, so that a request cannot read names of its own response; steps after the response can read them.
    call.saves = saves(entries["save"])
    call.reactions = reactions(entries["on"])
    warnOfIdleReactions(entries["on"], in: call)
    if operation.undocumented != nil {
      if entries.has("path") {
        report(
          "a call with a url cannot have \"path\"; write the values into the url with ${…}",
          at: entries.keyNode("path"))
      }
      if call.isGraphQL { checkMethod(operation.undocumented?.method.rawValue, of: entries) }
    } else if let index = operation.index, let operations {
      if call.isGraphQL { checkMethod(operations[index].method, of: entries) }
      calledOperations.insert(operations[index].id)
      check(entries, against: operations[index])
    }
    return call
  }

  /// The value of `call:`: an operation, or a request outside the contract. Nil after reporting an invalid request.
  private func calledOperation(_ node: MarkedValue) -> OperationReference? {
    if case .object = node.content { return undocumentedOperation(node) }
    guard let name = text(node, "an operation") else { return nil }
    return operation(name, at: node) ?? OperationReference(id: name)
  }

  /// By operationId, or by `METHOD /path`; nil after reporting that it does not exist.
  func operation(_ name: String, at node: MarkedValue) -> OperationReference? {
    if let known = undocumented[name] { return known }
    guard let operations else { return OperationReference(id: name) }
    if let index = operations.firstIndex(where: { $0.id == name }) {
      return OperationReference(id: name, index: index)
    }
    let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[1].hasPrefix("/") {
      let method = parts[0].uppercased()
      if let index = operations.firstIndex(where: { $0.method.uppercased() == method && $0.path == parts[1] }) {
        return OperationReference(id: operations[index].id, index: index)
      }
      let known = operations.map { "\($0.method.uppercased()) \($0.path)" }
      let hint = suggestion(name, known)
      let other = "; for a request outside of the contract, write { method: \(method), url: \(parts[1]) }"
      return refuse("the contract has no operation \(name)\(hint.isEmpty ? other : hint)", at: node)
    }
    let hint = suggestion(name, operations.map(\.id))
    let all =
      switch operations.count {
      case 0: "; the contract defines no operations"
      case 1...12: "; the operations of the contract are \(operations.map(\.id).joined(separator: ", "))"
      default: ""
      }
    return refuse("unknown operation \"\(name)\"\(hint.isEmpty ? all : hint)", at: node)
  }

  /// GraphQL requests are POSTs (GraphQL over HTTP §5.3): a GET has no body.
  private func checkMethod(_ method: String?, of entries: Entries) {
    guard let method, method.uppercased() != "POST", let node = entries["call"] else { return }
    report("a GraphQL request needs the method POST; the method of this operation is \(method.uppercased())", at: node)
  }

  /// `5s`, or `{ for: 5s, events: 10 }`.
  private func stream(_ node: MarkedValue?) -> StreamPatience? {
    guard let node else { return nil }
    guard node.isMapping else { return duration(node, "stream", positive: true).map { StreamPatience(time: $0) } }
    guard let parts = entries(node, .stream) else { return nil }
    let events = whole(parts["events"], "events", 1...1_000_000)
    let time = duration(parts["for"], "for", positive: true)
    return StreamPatience(time: time ?? (events == nil ? StreamPatience().time : .seconds(30)), events: events)
  }

  /// `cache:` and `dedupe:`.
  private func reuse(_ entries: Entries) -> ReuseRule? {
    guard entries.has("cache") || entries.has("dedupe") else { return nil }
    var rule = ReuseRule()
    if let node = entries["cache"], node.isMapping {
      if let parts = self.entries(node, .cache) {
        rule.cache = duration(parts["for"], "for", positive: true)
        rule.refreshes = boolean(parts["refresh"], "refresh") ?? false
      }
    } else {
      rule.cache = duration(entries["cache"], "cache", positive: true)
    }
    rule.dedupe = duration(entries["dedupe"], "dedupe", positive: true)
    return rule
  }

  /// `optimistic:`, read before the names from the response exist.
  private func optimistic(_ entries: Entries, isWrite: Bool) -> [Assignment] {
    if entries.has("optimistic"), !isWrite, operations != nil {
      report("\"optimistic\" is allowed only for writes (POST, PUT, PATCH, DELETE)", at: entries.keyNode("optimistic"))
    }
    if entries.has("optimistic"), entries.has("cache") || entries.has("dedupe") {
      report(
        "a call with \"optimistic\" cannot have \"cache\" or \"dedupe\"; remove these keys",
        at: entries.keyNode("optimistic"))
    }
    return assignments(entries["optimistic"])
  }

  /// True if the operation's method is not a safe one (RFC 9110 §9.2.1). It is unknown without a contract.
  private func isWrite(_ operation: OperationReference) -> Bool {
    let method = operation.undocumented?.method.rawValue ?? operation.index.flatMap { operations?[$0].method } ?? "GET"
    return !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method.uppercased())
  }

  /// `404`, `4XX` or `200..204`.
  func statusPattern(_ text: String, at node: MarkedValue) -> StatusPattern? {
    if let pattern = StatusPattern(text) { return pattern }
    return refuse(
      "a status must be a number such as 404, a class such as 4XX, or a range such as 200..204; found \"\(text)\"",
      at: node)
  }

  /// `{ method: POST, url: /laws/${pick(ids)}/vote }`
  func undocumentedOperation(_ node: MarkedValue) -> OperationReference? {
    guard let entries = entries(node, .request), let place = entries["url"] else { return nil }
    let method =
      entries["method"].map { choice($0, "a method", UndocumentedRequest.Method.self) }
      ?? UndocumentedRequest.Method.get
    guard let url = textTemplate(place, "a url"), let method else { return nil }
    guard url.source.hasPrefix("/") || url.source.hasPrefix("${") else {
      let hint =
        url.source.contains("://")
        ? "; murphy sends all requests to the target, so set the server with --target or target:" : ""
      return refuse("a url must begin with /, as in /laws/1/vote\(hint); found \(found(place))", at: place)
    }
    let request = UndocumentedRequest(method: method, url: url)
    var reference = OperationReference(id: request.id)
    reference.undocumented = request
    if let documented = operations?.first(where: { $0.describes(request) }) {
      warn(
        "\(request.id) is the operation \(documented.id) of the contract; murphy does not check the responses of this "
          + "request. To check the responses, write call: \(documented.id)", at: place)
    }
    undocumented[request.id] = reference
    calledOperations.insert(request.id)
    return reference
  }

  /// `url:` of a call, which replaces the operation's path and query.
  func url(_ entries: Entries) -> Template? {
    guard let node = entries["url"], let url = textTemplate(node, "a url") else { return nil }
    if case .object? = entries["call"]?.content {
      report("this call has two urls; remove this url, or the url in \"call\"", at: entries.keyNode("url"))
    }
    if entries.has("path") {
      report("a call with a url cannot have \"path\"; remove \"path\" or \"url\"", at: entries.keyNode("path"))
    }
    guard url.source.hasPrefix("/") || url.source.hasPrefix("${") else {
      return refuse(
        "a url must begin with / or with a saved value, such as ${next}; found \(found(node))", at: node)
    }
    return url
  }
}

extension OperationSummary {
  /// True if the request would match this operation, with any values for its expressions.
  fileprivate func describes(_ request: UndocumentedRequest) -> Bool {
    guard method.uppercased() == request.method.rawValue else { return false }
    let asked = Self.segments(request.path.prefix { $0 != "?" })
    let known = Self.segments(path[...])
    return asked.count == known.count
      && zip(asked, known).allSatisfy { $0 == $1 || $0.contains("{") || ($1.contains("{") && !$0.isEmpty) }
  }

  /// Slashes within braces belong to an expression.
  private static func segments(_ path: Substring) -> [String] {
    var segments = [""]
    var depth = 0
    for character in path {
      if character == "/", depth == 0 {
        segments.append("")
        continue
      }
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      segments[segments.count - 1].append(character)
    }
    return segments
  }
}
