import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

/// The paths of the items of an API. The path of an item follows from its own template, which may end with a slash or a
/// suffix. It may be shorter than the path of the operation that creates the item.
struct ItemPaths: Sendable {
  /// The template of the items that an operation lists or creates.
  private struct Template {
    /// Cut at slashes; empty parts stay.
    var parts: [Substring]
    /// The number of segments that it shares with the operation's own path.
    var shared: Int
    var parameter: String
  }

  /// Templates of items one segment below the operation's path.
  private var own: [Int: Template] = [:]
  /// Templates of items below an earlier part of its path: `/sets/{id}` for `/sets/upload`.
  private var outer: [Int: Template] = [:]
  private let matcher: OperationMatcher

  init(_ contract: Contract, _ shapes: [PathShape]) {
    matcher = OperationMatcher(contract)
    var items: [[String]: (template: Template, rank: Int)] = [:]
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      guard let rank = Self.methods.firstIndex(of: operation.method), let last = shapes[index].segments.last,
        let parameter = shapes[index].parameters.last?.name,
        last.split(separator: "{}", omittingEmptySubsequences: false).count == 2
      else { continue }
      let collection = Array(shapes[index].segments.dropLast())
      guard rank < items[collection]?.rank ?? .max else { continue }
      let parts = operation.path.split(separator: "/", omittingEmptySubsequences: false)
      items[collection] = (Template(parts: parts, shared: collection.count, parameter: parameter), rank)
    }
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      let segments = shapes[index].segments
      own[index] = items[segments]?.template
      guard own[index] == nil, operation.method == "POST" else { continue }
      // The items in its own path are not created by it.
      let last = segments.lastIndex { $0.contains("{}") } ?? 0
      let prefixes = stride(from: segments.count - 1, to: last, by: -1).map { Array(segments[..<$0]) }
      outer[index] = prefixes.lazy.compactMap { items[$0]?.template }.first
    }
  }

  /// By how reliably they identify the path of an item.
  private static let methods = ["DELETE", "GET", "PUT", "PATCH"]

  /// True if there are items one segment below the operation's path.
  func isCollection(_ operation: Int) -> Bool { own[operation] != nil }

  /// True if the contract has a path for the items that an operation creates.
  func hasItems(_ operation: Int) -> Bool { own[operation] != nil || outer[operation] != nil }

  /// The path of an item that an operation lists or creates, percent-encoded; nil if the contract has none.
  ///
  /// - Parameter path: of the request to the operation.
  func path(_ id: JSONValue, _ operation: Int, at path: Substring) -> String? {
    own[operation].map { Self.path(id, $0, at: path) }
  }

  private static func path(_ id: JSONValue, _ template: Template, at path: Substring) -> String {
    var given = path.split(separator: "/").prefix(template.shared)
    let name = PercentEncoding.encode(id.string ?? id.text, keepingReserved: false)
    return template.parts.map { part in
      if part.isEmpty { return "" }
      if let known = given.popFirst() { return String(known) }
      return String(part).replacingScalars("{\(template.parameter)}", with: name)
    }.joined(separator: "/")
  }

  /// The path in `Location`, if an operation deletes such items; without the path of the server.
  func location(of response: ClientResponse) -> String? {
    guard let location = response.header("location")?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
    let path = location.firstRange(of: "://").map { location[$0.upperBound...].drop { $0 != "/" } } ?? location
    guard path.hasPrefix("/"), let match = matcher.match("DELETE", String(path)) else { return nil }
    return String(path.dropFirst(match.base.count))
  }

  /// The item that a response names as a field of another item: `dataset_id` for an item of `/datasets`.
  func outerPath(in json: JSONValue, _ operation: Int, at path: Substring, sent body: JSONValue?) -> String? {
    guard let template = outer[operation] else { return nil }
    let noun = template.parts.last { !$0.isEmpty && !$0.contains("{") }.map {
      DraftNames.plain(DraftNames.singular(String($0)))
    }
    func find(_ value: JSONValue, _ depth: Int) -> JSONValue? {
      guard depth < 3, case .object(let object) = value else { return nil }
      let own = object.members.first { member in
        (member.key == template.parameter && member.key != "id")
          || (BodyNames.isReference(member.key) && BodyNames.noun(member.key) == noun)
      }
      if let value = own?.value, value.string != nil || value.int != nil { return value }
      return object.members.lazy.compactMap { find($0.value, depth + 1) }.first
    }
    guard let id = find(json, 0), body?.text.contains(id.text) != true else { return nil }
    return Self.path(id, template, at: path)
  }
}

/// The items that explore has created at the target and not yet deleted, and every write that it sent.
struct CreatedItems: Sendable {
  /// Paths of items, percent-encoded, in the order of their creation.
  private(set) var paths: [String] = []
  private var known: Set<String> = []
  /// Items that a PUT has named and no response has confirmed, each with its entry in `unclear`.
  private var unsure: [String: String] = [:]
  private(set) var writes = SentWrites()
  /// The number of created items, by a 201 response or a creating operation.
  private(set) var count = 0
  /// The number of them that are not deleted.
  var left: Int { paths.count { unsure[Self.key($0)] == nil } }
  /// Creations for which no response named an item, by operation.
  private(set) var unnamed: [String: Int] = [:]
  /// Requests that may have created an item, by operation and response.
  private(set) var unclear: [String: Int] = [:]

  /// - Parameters:
  ///   - operation: its id.
  ///   - items: the paths of the items that the request created.
  ///   - isCreation: true if a POST of the operation may create an item.
  mutating func saw(_ performed: CaseRunner.Performed, _ operation: String, items: [String], isCreation: Bool) {
    let request = performed.request
    guard !WriteRule.isSafe(request.method) else { return }
    let path = String(request.target.prefix { $0 != "?" })
    writes.recordWrite(
      SentWrites.Write(
        operation: operation, method: request.method, path: path, status: performed.status,
        // A PUT names its item by its path, and may have created none.
        item: request.method == "PUT" && performed.status != 201
          ? nil : items.first.flatMap { $0.split(separator: "/").last.map(String.init) }))
    for item in items where known.insert(Self.key(item)).inserted {
      paths.append(item)
      if request.method == "PUT", performed.status != 201 {
        // 200 and 204 mean that an item was changed (RFC 9110 §9.3.4), but it did not exist.
        let entry = "\(operation): status \(performed.status)"
        unsure[Self.key(item)] = entry
        unclear[entry, default: 0] += 1
      } else {
        count += 1
      }
    }
    if items.isEmpty, request.method == "POST", performed.status == 201, !performed.isExisting {
      unnamed[operation, default: 0] += 1
    }
    let isLost = performed.failure != nil
    // A 201 with an existing item may nevertheless have created another one.
    let isNameless = performed.isSuccess && items.isEmpty && performed.isExisting == (performed.status == 201)
    let isUnclear =
      request.method == "POST"
      ? isCreation && (isLost || isNameless) : request.method == "PUT" && performed.createsName && isLost
    if isUnclear, performed.call.method == nil {
      unclear["\(operation): \(isLost ? "no response" : "status \(performed.status)")", default: 0] += 1
    }
    if request.method == "DELETE", performed.isSuccess || performed.status == 410 { forget(path) }
  }

  mutating func removed(_ path: String, _ operation: String, status: Int) {
    writes.recordWrite(SentWrites.Write(operation: operation, method: "DELETE", path: path, status: status, item: nil))
    // It was never created.
    if status == 404, known.contains(Self.key(path)), let entry = unsure[Self.key(path)] {
      let rest = unclear[entry, default: 0] - 1
      unclear[entry] = rest > 0 ? rest : nil
    }
    if (200..<300).contains(status) || status == 404 || status == 410 { forget(path) }
  }

  /// True for the path of an item that explore has created, or a path below one.
  func holds(_ path: String) -> Bool { known.contains(Self.key(path)) }

  private mutating func forget(_ path: String) {
    guard known.remove(Self.key(path)) != nil else { return }
    paths.lastIndex { Self.key($0) == Self.key(path) }.map { _ = paths.remove(at: $0) }
  }

  /// Without a slash at the end: operations on paths below an item have none there.
  private static func key(_ path: String) -> String { path.hasSuffix("/") ? String(path.dropLast()) : path }
}

/// The items that explore has created, and the operations that it skips.
extension ExploreState {
  /// True if the path is one of an item that explore has created.
  func holds(_ path: String) -> Bool { state.withLock { $0.created.holds(path) } }

  /// Items that explore has created and not deleted, the last one first.
  package var items: [String] { state.withLock { $0.created.paths.reversed() } }
  /// The number of created items. Callable from any thread.
  package var creations: Int { state.withLock { $0.created.count } }
  var undeleted: Int { state.withLock { $0.created.left } }
  /// Records that a DELETE of an item was sent at the end.
  func removed(_ path: String, _ operation: Int, status: Int) {
    state.withLock { $0.created.removed(path, operations[operation], status: status) }
  }
  var unnamed: [String: Int] { state.withLock { $0.created.unnamed } }
  var unclear: [String: Int] { state.withLock { $0.created.unclear } }
  /// The writes that were sent. Callable from any thread.
  package var writes: SentWrites { state.withLock { $0.created.writes } }
}
