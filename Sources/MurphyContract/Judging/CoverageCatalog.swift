import MurphyModel
import MurphySchema

/// The parts of a schema that a body can exercise: optional properties, `enum` values, branches of `oneOf` and `anyOf`.
///
/// A tree with the structure of the instance, so that a body is compared in one walk. Recursive schemas are listed up
/// to their first repetition.
package struct CoverageCatalog: Sendable {
  /// One optional property, `enum` value or branch.
  package struct Item: Sendable {
    /// `property`, `enum` or `branch`.
    package let kind: String
    package let name: String
    /// The node whose object may have the property; nil for other kinds.
    let owner: Int?
  }

  struct Node: Sendable {
    var properties: [String: Property] = [:]
    /// For all items of a list.
    var items: Int?
    var values: [(value: JSONValue, item: Int)] = []
    var branches: [Branch] = []
    /// JSON Pointer with `*` for list items; the root is empty.
    var place = ""
    /// An object with properties, none of which is required.
    var requiresNothing = false

    struct Property: Sendable {
      /// Nil for required properties: every valid body has them.
      let item: Int?
      let node: Int?
    }

    struct Branch: Sendable {
      /// Index among the library's branches.
      let index: Int
      let item: Int
      let node: Int?
    }
  }

  /// In the order of the schema.
  package fileprivate(set) var items: [Item] = []
  var nodes: [Node] = []
}

/// Builds the catalog of one schema.
struct CatalogBuilder {
  /// The maximum number of items for one body.
  private static let itemLimit = 300
  private static let depthLimit = 10

  private let navigator: SchemaNavigator
  private let library: SchemaLibrary
  private var catalog = CoverageCatalog()
  /// The schemas on the path from the root.
  private var path: Set<LocationKey> = []

  static func catalog(_ schema: Located, _ library: SchemaLibrary, _ navigator: SchemaNavigator) -> CoverageCatalog {
    var builder = CatalogBuilder(navigator: navigator, library: library)
    _ = builder.node([schema], at: "", depth: 0)
    return builder.catalog
  }

  /// Nil if the list of items is empty, or if the schemas repeat their ancestors.
  private mutating func node(_ schemas: [Located], at place: String, depth: Int) -> Int? {
    guard depth < Self.depthLimit, catalog.items.count < Self.itemLimit else { return nil }
    let scope = navigator.scope(of: schemas)
    let keys = scope.parts.map(\.key).filter { !path.contains($0) }
    guard !keys.isEmpty || !scope.choices.isEmpty, keys.count == scope.parts.count else { return nil }
    path.formUnion(keys)
    defer { path.subtract(keys) }
    let index = catalog.nodes.count
    catalog.nodes.append(CoverageCatalog.Node(place: place))
    values(scope, index, place)
    properties(scope, index, place, depth)
    let items = scope.parts.flatMap { navigator.schemas(at: 0, in: $0) }
    if !items.isEmpty {
      let inner = node(items, at: place + "/*", depth: depth + 1)
      catalog.nodes[index].items = inner
    }
    branches(scope, index, place, depth)
    return index
  }

  private mutating func values(_ scope: SchemaScope, _ index: Int, _ place: String) {
    guard let values = scope.parts.lazy.compactMap({ $0.value["enum"]?.array }).first, (2...50).contains(values.count)
    else {
      return
    }
    for value in values {
      guard let item = add("enum", "\(place.isEmpty ? "/" : place) = \(value.text)") else { return }
      catalog.nodes[index].values.append((value, item))
    }
  }

  private mutating func properties(_ scope: SchemaScope, _ index: Int, _ place: String, _ depth: Int) {
    let required = Set(scope.parts.flatMap(\.required))
    let names = scope.parts.properties.map(\.name)
    catalog.nodes[index].requiresNothing =
      required.isEmpty && !names.isEmpty && scope.choices.isEmpty && !scope.isOpaque
    for name in names {
      let schemas = scope.parts.flatMap { navigator.schemas(for: name, in: $0) }
      // A property that a response must not contain cannot be covered.
      if schemas.contains(where: { $0.value.bool == false || $0.value["writeOnly"]?.bool == true }) { continue }
      let inner = JSONPointer(tokens: [name]).description
      let item = required.contains(name) ? nil : add("property", place + inner, owner: index)
      let child = node(schemas, at: place + inner, depth: depth + 1)
      catalog.nodes[index].properties[name] = CoverageCatalog.Node.Property(item: item, node: child)
    }
  }

  private mutating func branches(_ scope: SchemaScope, _ index: Int, _ place: String, _ depth: Int) {
    for choice in scope.choices where choice.keyword != "if" && choice.branches.count > 1 {
      for (number, branch) in choice.branches.enumerated() {
        let component = branch.value["$ref"]?.string.flatMap { $0.split(separator: "/").last }
        let label = component.map { " (\($0))" } ?? ""
        guard let known = library.branches[branch.key],
          let item = add("branch", "\(place.isEmpty ? "/" : place) \(choice.keyword) \(number)\(label)")
        else { continue }
        let child = node([branch], at: place, depth: depth + 1)
        catalog.nodes[index].branches.append(CoverageCatalog.Node.Branch(index: known, item: item, node: child))
      }
    }
  }

  private mutating func add(_ kind: String, _ name: String, owner: Int? = nil) -> Int? {
    guard catalog.items.count < Self.itemLimit else { return nil }
    catalog.items.append(CoverageCatalog.Item(kind: kind, name: name, owner: owner))
    return catalog.items.count - 1
  }
}

/// The catalogs of all bodies of a contract, shared by all judges.
package struct CoveragePlan: Sendable {
  /// The maximum number of body items, which bounds the memory for contracts with thousands of operations.
  private static let itemLimit = 20_000

  /// By operation, response and media type; nil for a body without items.
  package let catalogs: [[[CoverageCatalog?]]]

  init(_ contract: Contract) {
    let library = contract.schemas
    let navigator = SchemaNavigator(library.sources)
    var left = Self.itemLimit
    var known: [LocationKey: CoverageCatalog] = [:]
    catalogs = contract.operations.map { operation in
      operation.responses.map { response in
        response.content.map { media in
          guard left > 0, media.range.admitsJSON, let schema = media.schema?.located else { return nil }
          let key = navigator.target(of: schema).key
          let catalog = known[key] ?? CatalogBuilder.catalog(schema, library, navigator)
          known[key] = catalog
          left -= catalog.items.count
          return catalog.items.isEmpty || left < 0 ? nil : catalog
        }
      }
    }
  }
}

/// Counts the parts of a media type's schema that its bodies exercise.
///
/// Statuses, media types and headers are counted on every response. Bodies are sampled until every item of the catalog
/// was seen: the first 64 of each media type, then every 128th, and after 8,192 every 1,024th. A body counts at most
/// once for each item, and it also counts if another part of it violates the schema.
final class BodyCoverage {
  let catalog: CoverageCatalog
  /// By item: bodies that exercised it.
  private(set) var counts: [Int]
  /// By node: bodies that had an object there.
  private(set) var visits: [Int]
  private var bodies = 0
  /// The last body that was counted, by item and by node.
  private var lastShown: [Int]
  private var lastVisited: [Int]
  private var unseen: Int

  init(_ catalog: CoverageCatalog) {
    self.catalog = catalog
    counts = [Int](repeating: 0, count: catalog.items.count)
    visits = [Int](repeating: 0, count: catalog.nodes.count)
    lastShown = counts
    lastVisited = visits
    unseen = catalog.items.count
  }

  /// Every item of the catalog was seen.
  var isComplete: Bool { unseen == 0 }

  func observe(_ body: JSONValue, _ variant: SchemaVariant) {
    bodies += 1
    observe(body, 0, variant)
  }

  private func observe(_ value: JSONValue, _ index: Int, _ variant: SchemaVariant) {
    let node = catalog.nodes[index]
    for known in node.values where known.value == value { count(known.item) }
    switch value {
    case .object(let object):
      visit(index)
      for member in object.members {
        guard let property = node.properties[member.key] else { continue }
        if let item = property.item { count(item) }
        if let inner = property.node { observe(member.value, inner, variant) }
      }
    case .array(let items):
      if let inner = node.items { for item in items { observe(item, inner, variant) } }
    default: break
    }
    for branch in node.branches {
      guard let entry = variant.branchEntries[branch.index], case .valid = variant.program.isValid(entry, value) else {
        continue
      }
      count(branch.item)
      if let inner = branch.node { observe(value, inner, variant) }
    }
  }

  private func visit(_ node: Int) {
    guard lastVisited[node] != bodies else { return }
    lastVisited[node] = bodies
    visits[node] += 1
  }

  private func count(_ item: Int) {
    guard lastShown[item] != bodies else { return }
    lastShown[item] = bodies
    if counts[item] == 0 { unseen -= 1 }
    counts[item] += 1
  }
}

/// The items of a contract that earlier runs covered. Covered items are only ever added.
///
/// A text file, one line for each covered item, sorted, so that it is easy to merge and review:
/// ```
/// # murphy coverage baseline 1
/// status listLaws 200
/// enum listLaws 200 /data/*/order = "asc"
/// ```
package struct CoverageBaseline: Sendable, Hashable {
  private static let heading = "# murphy coverage baseline 1"

  /// `kind operation name` of every covered item.
  package private(set) var seen: Set<String>

  /// Keeps the items that were covered at least once.
  package init(_ items: some Sequence<CoverageItem>) {
    seen = Set(items.lazy.filter { $0.count > 0 }.map(Self.line))
  }

  /// Reads the file's text. Blank lines and lines that start with `#` are skipped.
  /// - Throws: a diagnostic if the heading is missing, because then it is a different kind of file.
  package init(text: String, file: String) throws(Diagnostic) {
    let lines = text.textLines.map(\.trimmed)
    guard lines.first.map(String.init) == Self.heading else {
      throw Diagnostic(
        "not a coverage baseline: the first line must be \"\(Self.heading)\"",
        at: SourceMark(file: file, line: 1, column: 1), sourceLine: lines.first.map(String.init))
    }
    seen = Set(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init))
  }

  /// The content of the file.
  package var text: String { ([Self.heading] + seen.sorted()).joined(separator: "\n") + "\n" }

  /// The baseline's items that `items` did not cover. Items that the contract no longer has are ignored.
  package func lost(in items: some Sequence<CoverageItem>) -> [CoverageItem] {
    items.filter { $0.count == 0 && seen.contains(Self.line($0)) }
  }

  /// The baseline extended by the items of this run, without items that the contract no longer has.
  package func advanced(by items: some Sequence<CoverageItem>) -> CoverageBaseline {
    var next = self
    next.seen = Set(items.lazy.filter { $0.count > 0 || seen.contains(Self.line($0)) }.map(Self.line))
    return next
  }

  private static func line(_ item: CoverageItem) -> String { "\(item.kind) \(item.operation) \(item.name)" }
}
