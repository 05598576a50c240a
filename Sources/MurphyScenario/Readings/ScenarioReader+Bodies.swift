import MurphyContract
import MurphyModel

/// The files that steps send.
struct BodyFiles {
  /// By path; nil for a file that could not be read. This is reported once.
  var read: [String: BodyFile?] = [:]
  /// The total bytes of all files.
  var size = 0
  /// The maximum total size.
  static let most = ByteCount(256 << 20)
}

extension ScenarioReader {
  /// The keys of a call that give it a body.
  static let bodyKeys = ["body", "form", "text", "multipart", "file", "graphql"]

  func body(of entries: Entries) -> BodyTemplate? {
    let given = Self.bodyKeys.filter { entries.has($0) }
    if given.count > 1 {
      report(
        "a call has only one of \"body\", \"form\", \"text\", \"multipart\", \"file\" or \"graphql\"",
        at: entries.keyNode(given[1]))
    }
    let contentType = text(entries["content-type"], "content-type")
    if given.isEmpty, contentType != nil {
      report("a content-type without a body", at: entries.keyNode("content-type"))
    }
    if let contentType, let node = entries["content-type"] { checkType(contentType, at: node) }
    switch given.first {
    case "body": return template(entries["body"]).map { .json($0, contentType: contentType ?? "application/json") }
    case "form": return .form(templates(entries["form"], "form"))
    case "text":
      return textTemplate(entries["text"], "text").map { .text($0, contentType: contentType ?? "text/plain") }
    case "multipart": return multipart(entries)
    case "file":
      return bodyFile(entries["file"]).map { .file($0, contentType: contentType ?? $0.type) }
    case "graphql":
      return graphQL(entries["graphql"]).map { .json($0, contentType: contentType ?? "application/json") }
    default: return nil
    }
  }

  /// `{ query: …, variables: { id: 1 }, operation: Law }`, as GraphQL over HTTP sends it (§5.4, media type JSON).
  private func graphQL(_ node: MarkedValue?) -> Template? {
    guard let node, let entries = entries(node, .graphQL) else { return nil }
    var members: [Template.Member] = []
    func add(_ name: String, _ template: Template?) {
      if let template { members.append(Template.Member(name: name, value: template.content)) }
    }
    add("query", textTemplate(entries["query"], "a query"))
    add("variables", template(entries["variables"]))
    if let variables = entries["variables"], !variables.isMapping, variables.scalarText?.hasPrefix("${") != true {
      report("variables is a mapping of names and values; found \(variables.kindName)", at: variables)
    }
    add("operationName", textTemplate(entries["operation"], "an operation's name"))
    return Template(folded(members), source: node.value.text)
  }

  /// Reports a type that would break the header line.
  private func checkType(_ type: String, at node: MarkedValue) {
    if !type.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      report("a media type has no control characters", at: node)
    }
  }

  private func multipart(_ entries: Entries) -> BodyTemplate? {
    if entries.has("content-type") {
      report(
        "multipart is sent as multipart/form-data with its own boundary; remove content-type",
        at: entries.keyNode("content-type"))
    }
    for header in entries["headers"].map(pairs) ?? [] where header.key.lowercased() == "content-type" {
      report("multipart writes Content-Type itself, with its boundary", at: header.keyNode)
    }
    guard let node = entries["multipart"] else { return nil }
    let named = mapping(node, "multipart")
    if case .object = node.content, named.isEmpty { report("multipart needs a part", at: node) }
    return .multipart(
      named.flatMap { name, keyNode, value -> [PartTemplate] in
        reject(computedName: name, at: keyNode)
        return value.items.compactMap { part(name, $0) }
      })
  }

  /// A string, or `{ file: photo.png, type: image/png, name: photo.png }`.
  private func part(_ name: String, _ node: MarkedValue) -> PartTemplate? {
    guard case .object = node.content else {
      return textTemplate(node, "a part").map { PartTemplate(name: name, content: .value($0)) }
    }
    guard let entries = entries(node, .multipartPart) else { return nil }
    let (fileName, type) = (text(entries["name"], "a file name"), text(entries["type"], "a media type"))
    if let type, let node = entries["type"] { checkType(type, at: node) }
    if let file = entries["file"] {
      guard let file = bodyFile(file) else { return nil }
      return PartTemplate(name: name, content: .file(file), fileName: fileName ?? file.name, type: type ?? file.type)
    }
    return template(entries["value"]).map {
      PartTemplate(name: name, content: .value($0), fileName: fileName, type: type)
    }
  }

  /// A file that requests send. It is read once, even if several steps name it.
  private func bodyFile(_ node: MarkedValue?) -> BodyFile? {
    guard let node, let file = text(node, "a file") else { return nil }
    let path = ScenarioFiles.path(file, relativeTo: source.file)
    if let known = bodyFiles.read[path] { return known }
    let bytes = contents(of: path, at: node) { bytes in
      guard bytes.count <= BoundedFile.content.bytes else {
        throw BoundedFile.Failure("it is longer than \(BoundedFile.content.bytes >> 20) MiB")
      }
      bodyFiles.size += bytes.count
      guard bodyFiles.size <= BodyFiles.most.bytes else {
        throw BoundedFile.Failure("the files of the form have more than \(BodyFiles.most.bytes >> 20) MiB together")
      }
    }
    let read = bytes.map { BodyFile(path: path, bytes: $0) }
    bodyFiles.read[path] = .some(read)
    return read
  }
}
