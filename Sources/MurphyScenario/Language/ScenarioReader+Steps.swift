import MurphyContract
import MurphyModel

extension ScenarioReader {
  /// One of `sessions:`.
  ///
  /// - Parameter login: the steps that its user has taken before.
  func session(
    _ name: String, at keyNode: MarkedValue, _ entries: Entries, client base: ClientProfile, login: LoginScript?
  ) -> SessionScript {
    stepPath = []
    let client = client(entries["client"], over: base)
    noteHeaders(of: client)
    _ = text(entries["about"], "about")
    let share = share(entries["share"], "a share") ?? 1
    let steps = tagged(entries["tags"]) { self.steps(entries["steps"]) }
    if let node = entries["steps"], steps.isEmpty, case .array(let sequence) = node.content, sequence.isEmpty {
      report("\"steps\" is empty; a session needs at least one step", at: node)
    }
    var script = SessionScript(
      name: name, share: share, steps: steps, client: client, feeds: flow.feeds.sorted(), mark: sourceMark(keyNode))
    script.readsAnswers = flow.readsAnswer
    script.login = login.map { own($0, of: entries["client"]) }
    return script
  }

  /// The login, without the variables, headers and address that the session's own client defines.
  private func own(_ login: LoginScript, of client: MarkedValue?) -> LoginScript {
    func names(_ key: String) -> Set<String> { Set(client?[key].map { pairs($0).map(\.key) } ?? []) }
    var login = login
    let (variables, headers) = (names("vars"), names("headers"))
    login.drawn.variables = login.drawn.variables.filter { !variables.contains($0.name) }
    login.drawn.headers.subtract(headers.map { $0.lowercased() })
    login.drawn.hasAddress = client?["address"] == nil
    return login
  }

  /// Records the client's headers: following calls need not contain them.
  func noteHeaders(of client: ClientProfile) {
    clientHeaders = client.headers.map(\.name) + (client.authentication == nil ? [] : ["Authorization"])
    if case .apiKey(let name, .header, _)? = client.authentication { clientHeaders.append(name) }
  }

  func steps(_ node: MarkedValue?) -> [Step] {
    guard let node, let elements = elements(node, "steps") else { return [] }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      report("the steps have more than \(Self.deepest) levels of nesting", at: node)
      return []
    }
    return elements.enumerated().compactMap { number, element in
      within("\(number + 1)") { step(element) }
    }
  }

  /// Runs `read` under a part of the step number: `3.else.1`.
  func within<Result>(_ part: String, _ read: () -> Result) -> Result {
    stepPath.append(part)
    defer { stepPath.removeLast() }
    return read()
  }

  private func step(_ node: MarkedValue) -> Step? {
    if node.scalarText == "end" { return .end }
    guard case .object = node.content else {
      return refuse(
        "a step must be a mapping such as { call: listLaws }, or the word end; found \(found(node))", at: node)
    }
    let keys = Set(pairs(node).map(\.key))
    guard let kind = Vocabulary.steps.first(where: { keys.contains($0.key) }) else {
      reportUnknownStep(node)
      return nil
    }
    guard let entries = entries(node, kind.vocabulary) else { return nil }
    switch kind.key {
    case "type": return typing(entries).map { .type($0) }
    case "burst": return burst(entries).map { .burst($0) }
    case "repeat", "while": return loop(entries).map { .loop($0) }
    case "poll": return poll(entries).map { .loop($0) }
    case "offline": return offline(entries).map { .offline($0) }
    case "if": return branch(entries).map { .branch($0) }
    case "choose": return choices(entries).map { .choice($0) }
    case "group": return text(entries["group"], "a group").map { .group(GroupStep(name: $0, steps: body(entries))) }
    case "think":
      return drawnDuration(entries["think"], "a think time").map { .think($0) }
    case "do": return namedSteps(entries)
    case "set": return .set(assignments(entries["set"]))
    default: return call(entries).map { .call(Call($0)) }
    }
  }

  private func reportUnknownStep(_ node: MarkedValue) {
    let kinds = Vocabulary.steps.map(\.key)
    let first = pairs(node).first
    let hint = first.map { suggestion($0.key, kinds) } ?? ""
    let list = hint.isEmpty ? "; the first key of a step must be one of \(kinds.joined(separator: ", "))" : hint
    report("unknown step\(first.map { " \"\($0.key)\"" } ?? "")\(list)", at: first?.keyNode ?? node)
  }

  /// `steps:`, or one call in their place.
  private func body(_ entries: Entries) -> [Step] {
    if entries.has("steps") {
      for key in Vocabulary.call.keys.map(\.name) where !["call", "tags"].contains(key) && entries.has(key) {
        report("\"\(key)\" is a key of a call; move it into one of the steps", at: entries.keyNode(key))
      }
      if let node = entries["steps"], case .array(let sequence) = node.content, sequence.isEmpty {
        report("\"steps\" is empty; write a step, or remove this key", at: node)
      }
      return tagged(entries["tags"]) { steps(entries["steps"]) }
    }
    return entries.has("call") ? call(entries).map { [.call(Call($0))] } ?? [] : []
  }

  /// Runs `read` while a flag of ``SessionFlow`` is true.
  func holding<Result>(_ scene: WritableKeyPath<SessionFlow, Bool>, _ read: () -> Result) -> Result {
    let before = flow[keyPath: scene]
    flow[keyPath: scene] = true
    defer { flow[keyPath: scene] = before }
    return read()
  }

  private func loop(_ entries: Entries) -> LoopStep? {
    let count = drawnCount(entries["repeat"], "repeat") ?? .constant(LoopStep.mostTurns)
    let counter = entries["as"].flatMap { node in text(node, "as").flatMap { newVariable($0, at: node) } }
    return holding(\.isLooping) { () -> LoopStep? in
      let condition = condition(entries["while"], "while")
      return LoopStep(count: count, condition: condition, counter: counter, steps: body(entries))
    }
  }

  private func poll(_ entries: Entries) -> LoopStep? {
    let every = drawnDuration(entries["poll"], "poll", positive: true)
    let count = drawnCount(entries["times"], "times")
    if count == nil, !entries.has("times"), !entries.has("until") {
      report(
        "a poll step needs the key \"until\" (the condition that ends it) or \"times\" (the number of repetitions)",
        at: entries.node)
    }
    return holding(\.isLooping) { () -> LoopStep? in
      let steps = body(entries)
      let until = condition(entries["until"], "until")
      guard let every else { return nil }
      var loop = LoopStep(count: count ?? .constant(LoopStep.mostPolls), steps: steps)
      (loop.every, loop.until) = (every, until)
      return loop
    }
  }

  private func offline(_ entries: Entries) -> OfflineStep? {
    if flow.isOffline { report("an offline step cannot contain another offline step", at: entries.node) }
    let duration = drawnDuration(entries["offline"], "offline", positive: true)
    let steps = holding(\.isOffline) { body(entries) }
    return duration.map { OfflineStep(duration: $0, steps: steps) }
  }

  private func burst(_ entries: Entries) -> BurstStep? {
    let count = drawnCount(entries["burst"], "burst")
    let over = drawnDuration(entries["over"], "over")
    let steps = holding(\.isLooping) { body(entries) }
    guard let count, let over else { return nil }
    return BurstStep(count: count, over: over, steps: steps)
  }

  private func typing(_ entries: Entries) -> TypeStep? {
    let text = textTemplate(entries["type"], "type")
    let every = drawnDuration(entries["every"], "every")
    let debounce = duration(entries["debounce"], "debounce") ?? .zero
    let newer = choice(entries["newer"], "newer", TypeStep.Newer.self) ?? .cancels
    let atLeast = whole(entries["at-least"], "at-least", 1...10_000) ?? 1
    let call = holding(\.isTyping) { self.call(entries) }
    if flow.isOffline {
      report("a type step cannot run offline; move it before or after the offline step", at: entries.node)
    }
    if call?.retry != nil {
      report(
        "a type step cannot have \"retry\", because the next typed character sends a new request",
        at: entries.keyNode("retry"))
    }
    if call?.reuse != nil {
      report(
        "a type step cannot have \"cache\" or \"dedupe\"; move these keys to a separate call",
        at: entries.keyNode(entries.has("cache") ? "cache" : "dedupe"))
    }
    if call?.optimistic.isEmpty == false {
      report(
        "a type step cannot have \"optimistic\"; move this key to a separate call", at: entries.keyNode("optimistic"))
    }
    if call?.reactions.contains(where: { !$0.steps.isEmpty }) == true {
      report("\"on\" of a type step cannot have a list of steps; use wait, continue or end", at: entries.keyNode("on"))
    }
    guard let text, let every, let call else { return nil }
    return TypeStep(text: text, every: every, debounce: debounce, newer: newer, atLeast: atLeast, call: Call(call))
  }

  private func branch(_ entries: Entries) -> BranchStep? {
    let condition = condition(entries["if"], "if")
    let steps = body(entries)
    let otherwise = within("else") { self.steps(entries["else"]) }
    return condition.map { BranchStep(condition: $0, steps: steps, otherwise: otherwise) }
  }

  private func choices(_ entries: Entries) -> ChoiceStep? {
    guard let node = entries["choose"], let ways = elements(node, "choose") else { return nil }
    if ways.isEmpty { report("\"choose\" is empty; write an alternative, such as { call: listLaws }", at: node) }
    return ChoiceStep(
      ways: ways.enumerated().compactMap { number, way in
        guard let parts = self.entries(way, .way) else { return nil }
        let steps = within("way\(number + 1)") { body(parts) }
        return ChoiceStep.Way(share: share(parts["share"], "a share") ?? 1, steps: steps)
      })
  }

  func assignments(_ node: MarkedValue?, _ what: String = "names") -> [Assignment] {
    mapping(node, what).compactMap { name, keyNode, value in
      // The value is read first: a variable cannot depend on itself.
      let template = template(value)
      guard let variable = newVariable(name, at: keyNode), let template else { return nil }
      return Assignment(variable: variable, value: template)
    }
  }
}

/// The tags that steps name.
struct TagNames {
  /// In the order of first use.
  var all: [String] = []
  /// Indices of the tags around the current place.
  var open: [Int] = []

  /// The maximum number. Each tag has its own statistics, on every loop.
  static let most = 100
  static let longest = 60
}

extension ScenarioReader {
  /// Runs `read` with these tags in addition.
  func tagged<Result>(_ node: MarkedValue?, _ read: () -> Result) -> Result {
    let outer = tagNames.open
    tagNames.open = tags(node)
    defer { tagNames.open = outer }
    return read()
  }

  /// The tags of the place and of the node, ascending.
  func tags(_ node: MarkedValue?) -> [Int] {
    guard let node else { return tagNames.open }
    return Set(tagNames.open + node.items.compactMap(tag)).sorted()
  }

  private func tag(_ node: MarkedValue) -> Int? {
    guard let name = text(node, "a tag") else { return nil }
    guard !name.isEmpty, name.count <= TagNames.longest, !name.contains(where: \.isNewline) else {
      return refuse(
        "a tag must be one line of 1 to \(TagNames.longest) characters; found \(found(node))", at: node)
    }
    if let known = tagNames.all.firstIndex(of: name) { return known }
    guard tagNames.all.count < TagNames.most else {
      return refuse("a scenario can have at most \(TagNames.most) tags; this tag exceeds the limit", at: node)
    }
    tagNames.all.append(name)
    return tagNames.all.count - 1
  }
}
