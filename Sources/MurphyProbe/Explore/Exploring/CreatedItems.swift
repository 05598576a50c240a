import MurphyModel
import MurphyScenario

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
    paths.removeAll { Self.key($0) == Self.key(path) }
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
