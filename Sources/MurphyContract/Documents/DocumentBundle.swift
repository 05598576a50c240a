import MurphyModel
import MurphySchema

/// One document that has the parts of all documents to which its references lead.
///
/// A part of another document becomes a component. Its name is the last word of its reference, with a number if the
/// name is taken. Where the version of OpenAPI has no components of a kind, the part replaces its reference. Each part
/// keeps its position in its file.
struct DocumentBundle {
  /// The result.
  private(set) var tree: MarkedValue
  /// The references that cannot be followed. They are in the result as they were.
  private(set) var problems: [Diagnostic] = []
  /// The other files of the result's positions, in the order of their numbers.
  private(set) var files: [SourceText] = []

  private var sources: DocumentSet
  private let root: Int
  private let isSwagger: Bool
  private let line: OpenAPIVersion.Line
  /// The documents with their positions, by number.
  private var trees: [Int: MarkedValue] = [:]
  private var names: [Target: String] = [:]
  /// The names of each kind of component that are in use.
  private var taken: [String: Set<String>] = [:]
  private var pending: [Target] = []
  /// The parts that are being written in place of their references.
  private var open: [Target] = []

  /// A part that references lead to, and its kind.
  private struct Target: Hashable {
    let document: Int
    let pointer: JSONPointer
    let kind: String
  }

  /// - Parameter root: the number of an OpenAPI document of `sources`, whose references are all open.
  init(_ sources: DocumentSet, root: Int) {
    self.sources = sources
    self.root = root
    let document = sources.documents[root]
    isSwagger = SwaggerConversion.applies(to: document.sourceValue)
    line = sources.version(of: root)?.line ?? .v31
    tree = document.marked()
    trees[root] = tree
    reserveNames()
    tree = converted(tree, .plain, in: root)
    while let target = pending.popLast() { add(target) }
  }

  /// True if a reference of the document leads to another document. In Swagger 2.0, also if it leads into a path:
  /// OpenAPI 3.0 has other pointers there.
  static func isNeeded(_ document: SourceDocument) -> Bool {
    let isSwagger = SwaggerConversion.applies(to: document.sourceValue)
    var isNeeded = false
    document.sourceValue.visit { name, text in
      guard name == "$ref" else { return }
      if !text.hasPrefix("#") || isSwagger && text.hasPrefix("#/paths/") { isNeeded = true }
    }
    return isNeeded
  }
}

extension DocumentBundle {
  /// Where the document has components of a kind; nil if it has none.
  private func container(_ kind: String) -> [String]? {
    if isSwagger {
      return ["schemas": ["definitions"], "parameters": ["parameters"], "responses": ["responses"]][kind]
    }
    switch kind {
    case "pathItems": return line > .v30 ? ["components", kind] : nil
    case "mediaTypes": return line > .v31 ? ["components", kind] : nil
    default: return ["components", kind]
    }
  }

  private static let kinds = [
    "schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links",
    "callbacks", "pathItems", "mediaTypes",
  ]

  /// Keeps the names of the document's own components. A component that only refers to another document becomes the
  /// part that it refers to.
  private mutating func reserveNames() {
    for kind in Self.kinds {
      guard let path = container(kind), let own = tree.part(at: JSONPointer(tokens: path)) else { continue }
      taken[kind] = Set(own.members.map(\.key))
      for entry in own.members {
        guard entry.value.members.count == 1, let reference = entry.value["$ref"]?.string,
          let target = try? target(of: reference, kind, in: root, at: entry.value), target.document != root,
          names[target] == nil
        else { continue }
        names[target] = entry.key
        pending.append(target)
        tree.remove(at: path + [entry.key])
      }
    }
  }

  private mutating func name(of target: Target) -> String {
    if let known = names[target] { return known }
    let file = sources.documents[target.document].path.split(separator: "/").last ?? ""
    let wanted = target.pointer.tokens.last ?? file.split(separator: ".").first.map(String.init) ?? ""
    let plain = String(
      wanted.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
          ? Character(scalar) : "_"
      })
    var name = plain.isEmpty ? "part" : plain
    var number = 1
    while taken[target.kind, default: []].contains(name) {
      number += 1
      name = "\(plain)\(number)"
    }
    taken[target.kind, default: []].insert(name)
    names[target] = name
    pending.append(target)
    return name
  }

  private mutating func add(_ target: Target) {
    guard let path = container(target.kind), let name = names[target], let part = part(target) else { return }
    let value = converted(part, BundleRole(kind: target.kind), in: target.document)
    for length in path.indices where tree.part(at: JSONPointer(tokens: Array(path[...length]))) == nil {
      tree.change(at: path[..<length]) { $0.put(path[length], $0.with([])) }
    }
    tree.change(at: path[...]) { $0.put(name, value) }
  }

  private mutating func part(_ target: Target) -> MarkedValue? {
    if trees[target.document] == nil {
      let document = sources.documents[target.document]
      files.append(document.text)
      trees[target.document] = document.marked(file: sources.documents[root].nextFile + files.count - 1)
    }
    return trees[target.document]?.part(at: target.pointer)
  }
}

extension DocumentBundle {
  /// The part with its references changed.
  private mutating func converted(_ value: MarkedValue, _ role: BundleRole, in document: Int) -> MarkedValue {
    if case .data = role { return value }
    var value = value
    switch value.content {
    case .scalar: break
    case .array(let items): value.content = .array(items.map { converted($0, role.item, in: document) })
    case .object(let members):
      if let reference = value["$ref"]?.string {
        switch follow(reference, role, in: document, at: value) {
        case .reference(let text): value.replace("$ref", value["$ref"]?.text(text) ?? value)
        case .part(let part):
          guard case .object = part.content else { return part }
          let own = members.filter { $0.key != "$ref" }
          let names = Set(own.map(\.key))
          value.content = .object(own + part.members.filter { !names.contains($0.key) })
          return value
        case .unknown: value.replace("$ref", value["$ref"]?.text(moved(reference, from: document)) ?? value)
        }
      }
      if case .schema = role, let choice = value["discriminator"] {
        value.replace("discriminator", mapped(choice, in: document))
      }
      value.mapMembers { converted($1, role.member($0, isSwagger: isSwagger), in: document) }
    }
    return value
  }

  private enum Followed {
    case reference(String)
    /// The part takes the place of its reference.
    case part(MarkedValue)
    case unknown
  }

  private mutating func follow(
    _ reference: String, _ role: BundleRole, in document: Int, at site: MarkedValue
  ) -> Followed {
    let target: Target
    do throws(Diagnostic) {
      target = try self.target(of: reference, role.kind, in: document, at: site)
    } catch {
      problems.append(error)
      return .unknown
    }
    let isMoved = isSwagger && target.pointer.tokens.first == "paths" && target.kind != "pathItems"
    if target.document == root, !isMoved {
      return .reference(document == root && reference.hasPrefix("#") ? reference : Self.text(target.pointer))
    }
    if let path = container(target.kind) {
      return .reference(Self.text(JSONPointer(tokens: path + [name(of: target)])))
    }
    guard !open.contains(target), let part = part(target) else { return .unknown }
    open.append(target)
    defer { open.removeLast() }
    return .part(converted(part, role, in: target.document))
  }

  /// Changes a reference that cannot be followed, so that it names the same file from the result's place.
  private func moved(_ reference: String, from document: Int) -> String {
    guard document != root else { return reference }
    let name = reference.prefix { $0 != "#" }
    let path =
      name.isEmpty ? sources.documents[document].path : sources.location(of: String(name), from: document).path
    let folder = FileReader.directory(of: sources.documents[root].path) + "/"
    return (path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path) + reference.dropFirst(name.count)
  }

  private mutating func target(
    of reference: String, _ kind: String, in document: Int, at site: MarkedValue
  ) throws(Diagnostic) -> Target {
    var place = site["$ref"]?.place ?? site.place
    // Another document's places have the numbers of the result's files. In the document itself, its file is 0.
    if document != root { place.file = 0 }
    let (target, pointer) = try sources.place(of: reference, in: document, at: place)
    return Target(document: target, pointer: pointer, kind: kind)
  }

  /// A `discriminator` whose mapping names schemas by references. The names of components stay.
  private mutating func mapped(_ choice: MarkedValue, in document: Int) -> MarkedValue {
    guard let mapping = choice["mapping"] else { return choice }
    var (choice, changed) = (choice, mapping)
    changed.mapMembers { _, value in
      guard let text = value.string, text.contains(where: { "#/.".contains($0) }),
        case .reference(let new) = follow(text, .schema, in: document, at: value)
      else { return value }
      return value.text(new)
    }
    choice.replace("mapping", changed)
    return choice
  }

  /// A reference to a part of the result.
  private static func text(_ pointer: JSONPointer) -> String {
    "#" + PercentEncoding.encode(path: pointer.description)
  }
}
