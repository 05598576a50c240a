import MurphyModel
import MurphyScenario

/// What explore has created at the target and has not deleted again, and every write that it sent.
struct CreatedItems: Sendable {
  /// Paths of items, percent-encoded, in the order of their creation.
  private(set) var paths: [String] = []
  private var known: Set<String> = []
  /// Those that a PUT has named and whose creation no response has told, each with its entry in `unclear`.
  private var unsure: [String: String] = [:]
  private(set) var writes = SentWrites()
  /// How many items were created, as a response 201 or a creating operation says.
  private(set) var count = 0
  /// Those of them that are not deleted.
  var left: Int { paths.count { unsure[Self.key($0)] == nil } }
  /// Creations of which no response named an item, by operation.
  private(set) var unnamed: [String: Int] = [:]
  /// Requests of which it is not known whether they created something, by operation and what was received.
  private(set) var unclear: [String: Int] = [:]

  /// - Parameters:
  ///   - operation: its id.
  ///   - items: the paths of what the request created.
  ///   - isCreation: whether a POST of the operation may create an item.
  mutating func saw(_ performed: CaseRunner.Performed, _ operation: String, items: [String], isCreation: Bool) {
    let request = performed.request
    guard !WriteRule.isSafe(request.method) else { return }
    let path = String(request.target.prefix { $0 != "?" })
    writes.note(
      SentWrites.Write(
        operation: operation, method: request.method, path: path, status: performed.status,
        // A PUT names its item by its path, and may have created none.
        item: request.method == "PUT" && performed.status != 201
          ? nil : items.first.flatMap { $0.split(separator: "/").last.map(String.init) }))
    for item in items where known.insert(Self.key(item)).inserted {
      paths.append(item)
      if request.method == "PUT", performed.status != 201 {
        // 200 and 204 say that something was changed (RFC 9110 §9.3.4), and it was not there.
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
    // A 201 that names what was there before may have created another item all the same.
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
    writes.note(SentWrites.Write(operation: operation, method: "DELETE", path: path, status: status, item: nil))
    // It was never created.
    if status == 404, known.contains(Self.key(path)), let entry = unsure[Self.key(path)] {
      let rest = unclear[entry, default: 0] - 1
      unclear[entry] = rest > 0 ? rest : nil
    }
    if (200..<300).contains(status) || status == 404 || status == 410 { forget(path) }
  }

  /// Whether the path is one of an item that explore has created, or of something below one.
  func holds(_ path: String) -> Bool { known.contains(Self.key(path)) }

  private mutating func forget(_ path: String) {
    guard known.remove(Self.key(path)) != nil else { return }
    paths.removeAll { Self.key($0) == Self.key(path) }
  }

  /// Without a slash at the end: operations on what is below an item have none there.
  private static func key(_ path: String) -> String { path.hasSuffix("/") ? String(path.dropLast()) : path }
}

/// What explore has created, and what it leaves alone.
extension ExploreState {
  /// Whether responses of the operation name an item that it has created.
  /// Whether the path is one of an item that explore has created.
  func holds(_ path: String) -> Bool { state.withLock { $0.created.holds(path) } }

  /// No request of the operation is sent.
  func skip(_ operation: Int, _ reason: String) {
    state.withLock { state in
      state.skipped[operation] = reason
      state.coverage.skip(operation)
    }
  }

  /// Operations of which explore found no request that is harmless, by index.
  package var skipped: [Int: String] { state.withLock { $0.skipped } }
  /// Items that explore has created and not deleted, the last one first.
  package var items: [String] { state.withLock { $0.created.paths.reversed() } }
  package var creations: Int { state.withLock { $0.created.count } }
  var undeleted: Int { state.withLock { $0.created.left } }
  /// A DELETE of an item was sent at the end.
  func removed(_ path: String, _ operation: Int, status: Int) {
    state.withLock { $0.created.removed(path, operations[operation], status: status) }
  }
  var unnamed: [String: Int] { state.withLock { $0.created.unnamed } }
  var unclear: [String: Int] { state.withLock { $0.created.unclear } }
  package var writes: SentWrites { state.withLock { $0.created.writes } }
}
