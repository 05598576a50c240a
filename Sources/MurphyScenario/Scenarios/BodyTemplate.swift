import MurphyContract
import MurphyModel

/// A request body in the scenario's notation.
package enum BodyTemplate: Sendable {
  /// `body:` sent as JSON.
  case json(Template, contentType: String)
  /// `form:` sent as `application/x-www-form-urlencoded` (WHATWG URL §5.2).
  case form([NamedTemplate])
  /// `text:` sent unchanged.
  case text(Template, contentType: String)
  /// `multipart:` sent as `multipart/form-data` (RFC 7578). The boundary takes one value of the random stream, after the
  /// parts.
  case multipart([PartTemplate])
  /// `file:` sent unchanged.
  case file(BodyFile, contentType: String)

  /// Every variable that the body reads.
  package var variables: [Variable] {
    switch self {
    case .json(let value, _), .text(let value, _): value.variables
    case .form(let fields): fields.flatMap(\.value.variables)
    case .multipart(let parts): parts.flatMap { $0.value?.variables ?? [] }
    case .file: []
    }
  }

  /// True if all requests send the same bytes.
  package var isConstant: Bool {
    switch self {
    case .json(let value, _), .text(let value, _): value.isConstant
    case .form(let fields): fields.allSatisfy(\.value.isConstant)
    // Each request has its own boundary.
    case .multipart: false
    case .file: true
    }
  }
}

/// A part of a `multipart:` body.
package struct PartTemplate: Sendable {
  /// The content of a part.
  package enum Content: Sendable {
    /// A list or an object is sent as JSON.
    case value(Template)
    case file(BodyFile)
  }

  package var name: String
  package var content: Content
  /// If it is set, the part is a file to the server.
  package var fileName: String?
  /// Nil for plain text, and for a value that is sent as JSON.
  package var type: String?

  /// Nil for a file.
  package var value: Template? { if case .value(let value) = content { value } else { nil } }
}

/// A file that requests send. It is read once, and all users share its bytes.
package struct BodyFile: Sendable {
  /// Relative to the working folder.
  package let path: String
  /// The whole file.
  package let bytes: [UInt8]

  /// Without its folders.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The media type of its file extension; `application/octet-stream` if it is unknown.
  package var type: String {
    let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
    return Self.types[ending] ?? "application/octet-stream"
  }

  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
    "json": "application/json", "xml": "application/xml", "csv": "text/csv", "txt": "text/plain", "html": "text/html",
    "mp3": "audio/mpeg", "mp4": "video/mp4",
  ]
}

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
        "a call can have only one of the keys \"body\", \"form\", \"text\", \"multipart\", \"file\" or \"graphql\"",
        at: entries.keyNode(given[1]))
    }
    let contentType = text(entries["content-type"], "content-type")
    if given.isEmpty, contentType != nil {
      report(
        "\"content-type\" needs a request body; write a body, or remove \"content-type\"",
        at: entries.keyNode("content-type"))
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
      report("variables must be a mapping from names to values; found \(variables.kindName)", at: variables)
    }
    add("operationName", textTemplate(entries["operation"], "operation"))
    return Template(folded(members), source: node.value.text)
  }

  /// Reports a type that would break the header line.
  private func checkType(_ type: String, at node: MarkedValue) {
    if !type.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      report("a media type cannot contain control characters", at: node)
    }
  }

  private func multipart(_ entries: Entries) -> BodyTemplate? {
    if entries.has("content-type") {
      report(
        "remove \"content-type\", because murphy sends \"multipart\" as multipart/form-data with a generated boundary",
        at: entries.keyNode("content-type"))
    }
    for header in entries["headers"].map(pairs) ?? [] where header.key.lowercased() == "content-type" {
      report("remove this header, because murphy generates the Content-Type of \"multipart\"", at: header.keyNode)
    }
    guard let node = entries["multipart"] else { return nil }
    let named = mapping(node, "multipart")
    if case .object = node.content, named.isEmpty { report("\"multipart\" is empty; write a part", at: node) }
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
        throw BoundedFile.Failure(
          "all body files of the scenario together are larger than \(BodyFiles.most.bytes >> 20) MiB")
      }
    }
    let read = bytes.map { BodyFile(path: path, bytes: $0) }
    bodyFiles.read[path] = .some(read)
    return read
  }

  /// Checks the parameters and the body of a call against its operation.
  func check(_ entries: Entries, against operation: OperationSummary) {
    checkNames(entries["path"], of: .path, in: operation)
    checkNames(entries["query"], of: .query, in: operation)
    checkNames(entries["headers"], of: .header, in: operation)
    checkNames(entries["cookies"], of: .cookie, in: operation)
    checkRequired(entries, operation)
    let body = Self.bodyKeys.first { entries.has($0) }
    if let body, !operation.takesBody {
      report(
        "\(operation.id) (\(operation.method.uppercased()) \(operation.path)) has no request body in the contract",
        at: entries.keyNode(body))
    }
    if body == nil, operation.requiresBody, let node = entries["call"] {
      report("\(operation.id) needs a request body, under a key such as \"body\"", at: node)
    }
  }

  private func checkNames(
    _ node: MarkedValue?, of location: OperationSummary.Parameter.Location, in operation: OperationSummary
  ) {
    guard let node, case .object = node.content else { return }
    let known = operation.parameters.filter { $0.location == location }.map(\.name)
    for (name, keyNode, _) in pairs(node) where !known.contains(where: { Self.same($0, name, location) }) {
      let hint = suggestion(name, known)
      let kind = "\(location.rawValue)\(location == .path || location == .query ? " parameter" : "")"
      if location == .path || !hint.isEmpty {
        let list =
          known.isEmpty
          ? "; the operation has no such parameters" : "; the known names are \(known.joined(separator: ", "))"
        report("unknown \(kind) \"\(name)\" of \(operation.id)\(hint.isEmpty ? list : hint)", at: keyNode)
      } else if location == .query {
        warn("the contract declares no \(kind) \"\(name)\" for \(operation.id); murphy sends it unchanged", at: keyNode)
      }
    }
  }

  /// Header names are case-insensitive (RFC 9110 §5.1).
  private static func same(_ a: String, _ b: String, _ location: OperationSummary.Parameter.Location) -> Bool {
    location == .header ? a.lowercased() == b.lowercased() : a == b
  }

  private func checkRequired(_ entries: Entries, _ operation: OperationSummary) {
    guard let node = entries["call"] else { return }
    let keys: [(OperationSummary.Parameter.Location, String)] = [
      (.path, "path"), (.query, "query"), (.header, "headers"), (.cookie, "cookies"),
    ]
    // A `url:` already contains path and query parameters.
    for (location, key) in keys where !entries.has("url") || (location != .path && location != .query) {
      var given = entries[key].map { pairs($0).map(\.key) } ?? []
      if location == .header { given += clientHeaders }
      for parameter in operation.parameters where parameter.required && parameter.location == location {
        if !given.contains(where: { Self.same($0, parameter.name, location) }) {
          let kind = location == .path || location == .query ? "\(location.rawValue) parameter" : location.rawValue
          report("\(operation.id) needs the \(kind) \"\(parameter.name)\", under \"\(key)\"", at: node)
        }
      }
    }
  }
}
