import MurphyContract
import MurphyModel
import MurphySchema

/// A named element in the scenario's file or in an included file.
struct NamedNode {
  var name: String
  var keyNode: MarkedValue
  var value: MarkedValue
  /// The file that contains it.
  var source: SourceText
}

/// The files of a scenario and their named elements.
struct IncludedParts {
  /// Paths of files that have been read, or are being read.
  var files: Set<String> = []
  /// The files that are being read, each included by the one before it.
  var open: [String] = []
  var sessions: [NamedNode] = []
  var groups: [String: NamedNode] = [:]
  /// Groups that a `do:` names.
  var usedGroups: Set<String> = []
  /// Groups around the current step.
  var openGroups: [String] = []
  /// The number of expansions of `do:`, including nested groups.
  var expansions = 0

  static let mostFiles = 100
  static let mostExpansions = 2_000
}

extension ScenarioReader {
  /// Reads `include:`, `steps:` and `sessions:` of a file into `parts`. Included files are read first.
  func readParts(_ entries: Entries) {
    let path = Self.normalised(source.file)
    parts.files.insert(path)
    parts.open.append(path)
    defer { parts.open.removeLast() }
    for node in entries["include"]?.items ?? [] { include(node) }
    for (name, keyNode, value) in mapping(entries["steps"], "steps") {
      let group = NamedNode(name: name, keyNode: keyNode, value: value, source: source)
      if let other = parts.groups[name] {
        report(
          "the named steps \"\(name)\" are already defined at \(Self.place(other)); rename one of them", at: keyNode)
      } else {
        parts.groups[name] = group
      }
    }
    for (name, keyNode, value) in mapping(entries["sessions"], "sessions") {
      if let other = parts.sessions.first(where: { $0.name == name }) {
        report("the session \"\(name)\" is already defined at \(Self.place(other)); rename one of them", at: keyNode)
      } else {
        parts.sessions.append(NamedNode(name: name, keyNode: keyNode, value: value, source: source))
      }
    }
  }

  private static func place(_ named: NamedNode) -> String { "\(named.source.file):\(named.keyNode.line)" }

  /// `shared/login.yaml`, or `{ file: ../login.yaml, outside: true }`.
  private func include(_ node: MarkedValue) {
    var isOutside = false
    var fileNode = node
    if node.isMapping {
      guard let entries = entries(node, .include), let file = entries["file"] else { return }
      fileNode = file
      isOutside = boolean(entries["outside"], "outside") ?? false
    }
    guard let file = text(fileNode, "a file") else { return }
    let path = Self.normalised(ScenarioFiles.path(file, relativeTo: source.file))
    let leaves = file.hasPrefix("/") || Self.normalised(file).hasPrefix("../")
    if leaves, !isOutside {
      return report(
        "\(file) is outside of the folder of this file; to allow this, write { file: \(file), outside: true }",
        at: fileNode)
    }
    if let first = parts.open.firstIndex(of: path) {
      let circle = (parts.open[first...] + [path]).joined(separator: " → ")
      return report("files include each other in a cycle: \(circle); remove one of these includes", at: fileNode)
    }
    // Two files may include the same third file; it is read once.
    guard parts.files.insert(path).inserted else { return }
    guard parts.files.count <= IncludedParts.mostFiles else {
      return report(
        "a scenario can have at most \(IncludedParts.mostFiles) files; this include exceeds the limit", at: fileNode)
    }
    guard let text = read(path, at: fileNode) else { return }
    let document = MarkedDocument(text, as: .yaml, keepsSpelling: true)
    diagnostics += document.mistakes
    guard let root = document.root else { return }
    reading(text) { if let entries = entries(root, .part) { readParts(entries) } }
  }

  private func read(_ path: String, at node: MarkedValue) -> SourceText? {
    let bytes = contents(of: path, at: node) { bytes in
      guard bytes.count <= BoundedFile.scenario.bytes else {
        throw BoundedFile.Failure("it is longer than \(BoundedFile.scenario.text)")
      }
      guard String(validating: bytes, as: UTF8.self) != nil else { throw BoundedFile.Failure("it is not UTF-8 text") }
    }
    return bytes.map { SourceText(file: path, bytes: $0) }
  }

  /// The path without `.` and, if possible, without `..`.
  static func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// `do: name`, read as if its steps were in its place. They can read names saved above it, and steps below it can
  /// read names that they save.
  func namedSteps(_ entries: Entries) -> Step? {
    guard let node = entries["do"], let name = text(node, "do") else { return nil }
    guard let group = parts.groups[name] else {
      let hint = suggestion(name, parts.groups.keys.sorted())
      let known = parts.groups.keys.sorted().joined(separator: ", ")
      let list = known.isEmpty ? "; the scenario has no named steps under \"steps\"" : "; the named steps are \(known)"
      return refuse("unknown named steps \"\(name)\"\(hint.isEmpty ? list : hint)", at: node)
    }
    parts.usedGroups.insert(name)
    if let first = parts.openGroups.firstIndex(of: name) {
      let circle = (parts.openGroups[first...] + [name]).joined(separator: " → ")
      return refuse("named steps run each other in a cycle: \(circle); remove one of these \"do\" steps", at: node)
    }
    parts.expansions += 1
    guard parts.expansions <= IncludedParts.mostExpansions else {
      if parts.expansions == IncludedParts.mostExpansions + 1 {
        report(
          "the scenario runs named steps with \"do\" more than \(IncludedParts.mostExpansions) times, including nested "
            + "steps", at: node)
      }
      return nil
    }
    parts.openGroups.append(name)
    defer { parts.openGroups.removeLast() }
    return reading(group.source) {
      .group(GroupStep(name: name, steps: within(name) { steps(group.value) }))
    }
  }

  func warnOfUnusedGroups(_ entries: Entries) {
    guard let node = entries["steps"] else { return }
    for (name, keyNode, _) in pairs(node) where !parts.usedGroups.contains(name) {
      warn("no \"do\" step runs the named steps \"\(name)\"; remove them, or run them", at: keyNode)
    }
  }

  /// The meaning of a name in an expression at this place.
  ///
  /// - Parameter guarded: true within `default(…)`, where a name may be unset.
  func meaning(of name: String, at place: ExpressionToken, guarded: Bool) throws(ExpressionMistake) -> Expression {
    if let context = ContextName(rawValue: name) {
      if let scene = missingScene(of: context) {
        throw ExpressionMistake("\"\(name)\" is defined only in \(scene)", at: place)
      }
      if context == .answer { flow.readsAnswer = true }
      return .context(context)
    }
    if let index = feeds.firstIndex(where: { $0.name == name }) {
      flow.feeds.insert(index)
      return read(feeds[index].variable)
    }
    if flow.known.contains(name) || (guarded && flow.later[name] != nil) { return read(variable(name)) }
    if let line = flow.later[name] {
      if flow.isClient { return read(variable(name)) }
      throw ExpressionMistake(
        "\"\(name)\" is saved only later, in line \(line); save it before, or write default(\(name), …)", at: place)
    }
    if let function = Function(rawValue: name) {
      throw ExpressionMistake("\(name) is a function; write \(function.usage)", at: place)
    }
    throw ExpressionMistake("unknown variable \"\(name)\"" + nameHint(name), at: place)
  }

  private func nameHint(_ name: String) -> String {
    let known = flow.known.sorted() + feeds.map(\.name) + ContextName.allCases.map(\.rawValue)
    let hint = suggestion(name, known)
    guard hint.isEmpty else { return hint }
    if name == "env" { return "; to read an environment variable, write ${env(NAME)}" }
    return flow.known.isEmpty
      ? "; no variable is saved before" : "; the known variables are \(flow.known.sorted().joined(separator: ", "))"
  }

  /// The place where the name is defined, if it is not defined here.
  private func missingScene(of name: ContextName) -> String? {
    switch name {
    case .typed where !flow.isTyping: "a type step"
    case .index where !flow.isLooping: "a repeat, while, poll or burst step"
    default: nil
    }
  }

  private func read(_ variable: Variable) -> Expression {
    readVariables.insert(variable.slot)
    return .variable(variable)
  }

  /// The columns of the feed whose row a variable holds; nil for any other variable.
  func columns(of variable: Variable) -> [String]? {
    feeds.first { $0.variable == variable && $0.rows.count > 0 }?.rows.columns
  }

  /// The value of an environment variable, which is a secret; nil if it is not set.
  func environment(_ name: String) -> String? {
    guard let value = environmentVariables[name] else { return nil }
    secrets.insert(value, environment: name)
    return value
  }

  /// The variable of a name, with its own slot.
  func variable(_ name: String) -> Variable {
    if let slot = variables.firstIndex(of: name) { return Variable(name: name, slot: slot) }
    variables.append(name)
    return Variable(name: name, slot: variables.count - 1)
  }

  /// A new name for a value; nil after reporting why it is invalid.
  func newVariable(_ name: String, at node: MarkedValue) -> Variable? {
    let characters = Array(name)
    guard let first = characters.first, ExpressionLexer.beginsName(first),
      characters.allSatisfy(ExpressionLexer.continuesName)
    else {
      return refuse(
        "a name must begin with a letter and contain only letters, digits and _; found \"\(name)\"", at: node)
    }
    if ContextName(rawValue: name) != nil || ["true", "false", "null"].contains(name) {
      return refuse("\"\(name)\" is a reserved name of the scenario language; choose another name", at: node)
    }
    if feeds.contains(where: { $0.name == name }) {
      return refuse("\"\(name)\" is the name of a feed; choose another name", at: node)
    }
    flow.known.insert(name)
    return variable(name)
  }

  /// Every name that steps save or set, with the first line in which it occurs.
  func savedNames(in node: MarkedValue) -> [String: Int] {
    var names: [String: Int] = [:]
    func addName(_ key: MarkedValue) {
      guard let name = key.scalarText else { return }
      names[name] = min(names[name] ?? .max, key.line)
    }
    var stack = [node]
    var named: Set<String> = []
    while let next = stack.popLast() {
      switch next.content {
      case .array(let sequence): stack.append(contentsOf: sequence)
      case .object(let mapping):
        for member in mapping {
          let value = member.value
          switch member.key {
          case "save", "set":
            if case .object(let names) = value.content { for name in names { addName(name.name) } }
          case "as": addName(value)
          case "do":
            if let name = value.scalarText, let group = parts.groups[name], named.insert(name).inserted {
              stack.append(group.value)
            }
          case "body", "query", "headers", "form", "path", "expect", "multipart", "graphql": continue
          default: stack.append(value)
          }
        }
      case .scalar: continue
      }
    }
    return names
  }
}
