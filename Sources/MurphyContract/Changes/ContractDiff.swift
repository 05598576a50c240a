import MurphyModel
import MurphySchema

/// The differences between two versions of a contract. Both are compared as murphy reads them, with their references
/// resolved.
package struct ContractDiff {
  /// The version that clients know.
  package let old: Contract
  /// The version that replaces it.
  package let new: Contract
  /// In the order of the old document; changes of the whole contract are first.
  package private(set) var changes: [ContractChange] = []
  /// The changes that are not in ``changes``, because there are too many.
  package private(set) var unlisted: [ContractChange.Severity: Int] = [:]
  let graph: SchemaChangeGraph
  /// `2026-11-27`: the sunset of a deprecated operation is before or after it.
  let today: String
  /// Changes in order, and schemas whose changes are known when all schemas are compared.
  private var entries: [Entry] = []
  private var listed: [ContractChange.Severity: Int] = [:]
  /// The operation in progress: its title, and its index in the old contract.
  var title: String?
  var index = 0

  private enum Entry {
    case change(ContractChange)
    case schema(root: Int, operation: String?, part: String, subject: (ContractChange.Site) -> ContractChange.Subject)
  }

  package init(from old: Contract, to new: Contract, today: String) {
    (self.old, self.new, self.today) = (old, new, today)
    graph = SchemaChangeGraph(old.sources, new.sources)
    reportUnread()
    compareServers()
    compareOperations()
    for entry in entries {
      switch entry {
      case .change(let change): list(change.severity) { change }
      case .schema(let root, let operation, let part, let subject):
        for (path, node, change) in graph.changes(from: root) {
          list(change.severity) {
            ContractChange(
              severity: change.severity, rule: change.rule, operation: operation,
              part: path.isEmpty ? part : "\(part), \(path)", text: change.text, reason: change.reason,
              old: change.old.map { old.sources.mark($0) }, new: change.new.map { new.sources.mark($0) },
              subject: subject(
                ContractChange.Site(root: root, node: node, label: change.label, value: change.value)))
          }
        }
      }
    }
    entries = []
  }

  /// The maximum number of listed changes of each severity. A component with many changes is used by many operations.
  private static let most = 20_000

  private mutating func list(_ severity: ContractChange.Severity, _ change: () -> ContractChange) {
    listed[severity, default: 0] += 1
    if listed[severity, default: 0] <= Self.most {
      changes.append(change())
    } else {
      unlisted[severity, default: 0] += 1
    }
  }

  mutating func add(
    _ severity: ContractChange.Severity, _ rule: String, _ part: String, _ text: String, reason: String? = nil,
    _ places: (old: SourceMark?, new: SourceMark?), _ subject: ContractChange.Subject
  ) {
    entries.append(
      .change(
        ContractChange(
          severity: severity, rule: rule, operation: title, part: part, text: text, reason: reason, old: places.old,
          new: places.new, subject: subject)))
  }

  /// Compares two schemas of one message.
  mutating func compare(
    _ old: Located, _ new: Located, _ side: SchemaSide, _ part: String,
    _ subject: @escaping (ContractChange.Site) -> ContractChange.Subject
  ) {
    entries.append(.schema(root: graph.root(old, new, side), operation: title, part: part, subject: subject))
  }

  /// Parts that murphy cannot read are not compared.
  private mutating func reportUnread() {
    let suffixes = [ContractAssembly.unknownSuffix, ContractAssembly.uncheckedSuffix]
    for (contract, isOld) in [(old, true), (new, false)] {
      for warning in contract.warnings where suffixes.contains(where: warning.message.hasSuffix) {
        add(
          .possiblyBreaking, "part-not-compared", "document", "a part that cannot be read", reason: warning.message,
          (isOld ? warning.mark : nil, isOld ? nil : warning.mark), .everyone)
      }
    }
  }

  private mutating func compareServers() {
    let urls = (old.servers.map { $0.url() }, new.servers.map { $0.url() })
    let places = (old.sources.root(0)["servers"], new.sources.root(0)["servers"])
    let marks = (places.0.map { old.sources.mark($0) }, places.1.map { new.sources.mark($0) })
    for url in urls.0 where !urls.1.contains(url) {
      add(
        .possiblyBreaking, "server-removed", "servers", "\(url) → removed",
        reason: "clients that use this URL fail, unless it stays available", marks, .everyone)
    }
    for url in urls.1 where !urls.0.contains(url) {
      add(.compatible, "server-added", "servers", "new server \(url)", marks, .everyone)
    }
  }

  private mutating func compareOperations() {
    let sites = (OperationSite.all(of: old), OperationSite.all(of: new))
    var later: [String: Int] = [:]
    for (index, operation) in new.operations.enumerated() { later[Self.key(operation)] = index }
    let paths = Set(new.operations.map(\.path))
    for (index, operation) in old.operations.enumerated() {
      (title, self.index) = ("\(operation.method) \(operation.path)", index)
      let site = sites.0["\(operation.method) \(operation.path)"]
      guard let match = later.removeValue(forKey: Self.key(operation)) else {
        removal(operation, site, isPath: !paths.contains(operation.path))
        continue
      }
      let next = new.operations[match]
      guard let site, let nextSite = sites.1["\(next.method) \(next.path)"] else { continue }
      compare(operation, next, site, nextSite)
    }
    for index in later.values.sorted() {
      let operation = new.operations[index]
      title = "\(operation.method) \(operation.path)"
      add(.compatible, "operation-added", "", "new operation", (nil, operation.source), .callers(nil))
    }
  }

  /// The method and the path, without the names of its parameters.
  private static func key(_ operation: Contract.Operation) -> String {
    "\(operation.method) \(PathTemplate(operation.path).shape)"
  }

  private mutating func removal(_ operation: Contract.Operation, _ site: OperationSite?, isPath: Bool) {
    let (severity, words) = removal(isDeprecated: operation.isDeprecated, site?.value["x-sunset"])
    add(
      severity, isPath ? "path-removed" : "operation-removed", "", words, (operation.source, nil), .callers(index))
  }

  /// The severity of the removal of a part, which its deprecation may have announced.
  func removal(isDeprecated: Bool, _ sunset: JSONValue?) -> (ContractChange.Severity, String) {
    guard isDeprecated else { return (.breaking, "removed without deprecation") }
    guard let sunset else { return (.compatible, "removed after its deprecation") }
    guard let date = OperationSite.date(sunset) else {
      return (.breaking, "removed; its x-sunset \(sunset.text) is not a date")
    }
    return today < date ? (.breaking, "removed before its sunset on \(date)") : (.compatible, "removed after \(date)")
  }

  private mutating func compare(
    _ before: Contract.Operation, _ after: Contract.Operation, _ site: OperationSite, _ next: OperationSite
  ) {
    let marks = (before.source, after.source)
    let callers = ContractChange.Subject.callers(index)
    if before.path != after.path {
      add(.compatible, "path-parameter-renamed", "", "\(before.path) → \(after.path)", marks, callers)
    }
    if before.id != after.id {
      add(.compatible, "operation-id-changed", "", "\(before.id) → \(after.id)", marks, callers)
    }
    for mistake in before.mistakes + after.mistakes {
      let reason = "the operation cannot be read: \(mistake.message)"
      add(.possiblyBreaking, "operation-not-compared", "", "a mistake in the document", reason: reason, marks, callers)
    }
    compareDeprecation(
      "operation", "", (before.isDeprecated, after.isDeprecated), (site.value, next.value), marks, callers)
    compareSecurity(site, next, marks)
    compareParameters(before, after, site, next)
    compareBodies(before, after)
    compareResponses(before, after)
  }

  mutating func compareDeprecation(
    _ facet: String, _ part: String, _ isDeprecated: (old: Bool, new: Bool), _ values: (old: JSONValue, new: JSONValue),
    _ marks: (SourceMark, SourceMark), _ subject: ContractChange.Subject
  ) {
    let sunsets = (values.old["x-sunset"], values.new["x-sunset"])
    let dates = (sunsets.0.flatMap(OperationSite.date), sunsets.1.flatMap(OperationSite.date))
    guard isDeprecated.new else {
      if isDeprecated.old {
        add(.compatible, "\(facet)-reactivated", part, "deprecated → not deprecated", marks, subject)
      }
      return
    }
    if let sunset = sunsets.1, dates.1 == nil, !isDeprecated.old || sunset != sunsets.0 {
      return add(.breaking, "\(facet)-sunset-invalid", part, "x-sunset \(sunset.text) is not a date", marks, subject)
    }
    guard isDeprecated.old else {
      let words = "deprecated" + (dates.1.map { ", sunset on \($0)" } ?? "")
      return add(.compatible, "\(facet)-deprecated", part, words, marks, subject)
    }
    guard let before = dates.0, dates.1 != before else { return }
    let isEarlier = dates.1.map { $0 < before } ?? true
    let rule = "\(facet)-sunset-\(dates.1 == nil ? "removed" : "changed")"
    add(isEarlier ? .breaking : .compatible, rule, part, "\(before) → \(dates.1 ?? "none")", marks, subject)
  }
}

/// An operation as its document has it, for the fields that the contract does not keep.
struct OperationSite {
  var value: JSONValue
  /// Alternatives: the scopes by the names of the schemes. Empty if none is needed.
  var security: [[String: Set<String>]]
  var parameters: [ParameterKey: JSONValue] = [:]

  /// By `METHOD /path`.
  static func all(of contract: Contract) -> [String: OperationSite] {
    var sources = contract.sources
    var found: [String: OperationSite] = [:]
    for root in sources.roots.map({ sources.root($0) }) {
      for (path, item) in root["paths"]?.members ?? [] {
        let sites = [item, try? sources.resolved(item)].compactMap(\.self)
        let shared = sites.lazy.compactMap { $0["parameters"] }.first?.items ?? []
        for (method, site) in ContractAssembly.operations(in: sites) where found["\(method) \(path)"] == nil {
          var operation = OperationSite(site.value, site["security"] ?? root["security"])
          for parameter in shared + (site["parameters"]?.items ?? []) {
            guard let value = (try? sources.resolved(parameter))?.value, let name = value["name"]?.string,
              let place = value["in"]?.string.flatMap(Contract.Parameter.Location.init(rawValue:))
            else { continue }
            operation.parameters[ParameterKey(place, name)] = value
          }
          found["\(method) \(path)"] = operation
        }
      }
    }
    return found
  }

  private init(_ value: JSONValue, _ security: Located?) {
    self.value = value
    self.security = (security?.items ?? []).map { alternative in
      Dictionary(
        alternative.members.map { ($0.key, Set($0.located.items.compactMap(\.value.string))) },
        uniquingKeysWith: { $0.union($1) })
    }
  }

  /// The day of an RFC 3339 date or time; nil for anything else.
  static func date(_ value: JSONValue) -> String? {
    value.string?.prefixMatch(of: #/(\d{4}-\d\d-\d\d)(?:[Tt ].*)?$/#).map { String($0.1) }
  }
}
