import MurphyContract
import MurphyModel

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
        report("the steps \"\(name)\" are in \(Self.place(other)) already", at: keyNode)
      } else {
        parts.groups[name] = group
      }
    }
    for (name, keyNode, value) in mapping(entries["sessions"], "sessions") {
      if let other = parts.sessions.first(where: { $0.name == name }) {
        report("the session \"\(name)\" is in \(Self.place(other)) already", at: keyNode)
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
        "\(file) lies outside of this file's folder; write { file: \(file), outside: true } if that is intended",
        at: fileNode)
    }
    if let first = parts.open.firstIndex(of: path) {
      let circle = (parts.open[first...] + [path]).joined(separator: " → ")
      return report("files include each other in a circle: \(circle)", at: fileNode)
    }
    // Two files may include the same third file; it is read once.
    guard parts.files.insert(path).inserted else { return }
    guard parts.files.count <= IncludedParts.mostFiles else {
      return report("a scenario has at most \(IncludedParts.mostFiles) files", at: fileNode)
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
}

extension ScenarioReader {
  /// `do: name`, read as if its steps were in its place. They can read names saved above it, and steps below it can
  /// read names that they save.
  func namedSteps(_ entries: Entries) -> Step? {
    guard let node = entries["do"], let name = text(node, "do") else { return nil }
    guard let group = parts.groups[name] else {
      let hint = suggestion(name, parts.groups.keys.sorted())
      let known = parts.groups.keys.sorted().joined(separator: ", ")
      let list = known.isEmpty ? "; `steps:` of the scenario has none" : "; there are \(known)"
      report("no steps are named \"\(name)\"\(hint.isEmpty ? list : hint)", at: node)
      return nil
    }
    parts.usedGroups.insert(name)
    if let first = parts.openGroups.firstIndex(of: name) {
      let circle = (parts.openGroups[first...] + [name]).joined(separator: " → ")
      report("steps name each other in a circle: \(circle)", at: node)
      return nil
    }
    parts.expansions += 1
    guard parts.expansions <= IncludedParts.mostExpansions else {
      if parts.expansions == IncludedParts.mostExpansions + 1 {
        report(
          "`do` expands to more than \(IncludedParts.mostExpansions) groups of steps, including nested ones", at: node)
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
      warn("no `do` names the steps \"\(name)\"", at: keyNode)
    }
  }
}
