import MurphyModel

/// What explore has created, and what it leaves alone.
extension ExploreBoard {
  /// Whether responses of the operation name an item that it has created.
  func creates(_ operation: Int) -> Bool { things.creates(operation) }
  /// Whether there are items below the path of the operation.
  func isCollection(_ operation: Int) -> Bool { things.isCollection(operation) }
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
  /// How many items it has created.
  package var creations: Int { state.withLock { $0.created.count } }
  /// How many of them are not deleted.
  var undeleted: Int { state.withLock { $0.created.left } }
  /// A DELETE of an item was sent at the end.
  func removed(_ path: String, _ operation: Int, status: Int) {
    state.withLock { $0.created.removed(path, operations[operation], status: status) }
  }
  /// Creations of which no response named an item, by operation.
  var unnamed: [String: Int] { state.withLock { $0.created.unnamed } }
  /// Requests of which it is not known whether they created something, by operation and what was received.
  var unclear: [String: Int] { state.withLock { $0.created.unclear } }
  package var writes: SentWrites { state.withLock { $0.created.writes } }
}
