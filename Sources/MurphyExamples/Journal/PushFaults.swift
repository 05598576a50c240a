import GRDB
import MurphyServer

/// The faults of accepting pushed entries. They change the database themselves: the store itself is correct.
extension Fault {
  static let pushFaults = [
    Fault(
      "version-twice", .state, on: .pushEntry,
      "versions are written 20 ms after they are compared, so that concurrent pushes get the same version",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        guard let outcome = try await store.race(push) else { return try await rest(push) }
        return outcome
      }),
    Fault(
      "lost-update", .state, on: .pushEntry, frequency: .oneIn(4),
      "one push in 4 increments the version but keeps the old content",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        let before = try store.entry(push.id, of: push.author)
        let outcome = try await rest(push)
        if case .saved(var entry) = outcome, let before {
          entry.content = before.content
          try store.overwrite(entry)
        }
        return outcome
      }),
    Fault(
      "push-forgotten", .state, on: .pushEntry, frequency: .oneIn(5), "one push in 5 is confirmed but not stored",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        let before = try store.entry(push.id, of: push.author)
        let outcome = try await rest(push)
        if case .saved = outcome, let before { try store.overwrite(before) }
        return outcome
      }),
    Fault(
      "stale-push-accepted", .state, on: .pushEntry, frequency: .oneIn(2),
      "one outdated push in 2 overwrites the entry instead of causing a conflict",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        let outcome = try await rest(push)
        guard case .conflict = outcome else { return outcome }
        return .saved(try store.force(push))
      }),
    Fault(
      "future-push-accepted", .state, on: .pushEntry, "a push of a future version is accepted",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        let outcome = try await rest(push)
        guard case .ahead = outcome else { return outcome }
        return .saved(try store.force(push))
      }),
    Fault(
      "version-skips", .state, on: .pushEntry, frequency: .oneIn(5), "one push in 5 increments the version by two",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        let outcome = try await rest(push)
        guard case .saved(var entry) = outcome, entry.version > 1 else { return outcome }
        entry.version += 1
        try store.overwrite(entry)
        return .saved(entry)
      }),
    Fault(
      "conflict-without-reason", .state, on: .pushEntry, frequency: .oneIn(6),
      "one push in 6 of the current version gets a conflict",
      .at(\.journal.push, with: \.journal) { store, push, rest in
        guard let entry = try store.entry(push.id, of: push.author), entry.version == push.version else {
          return try await rest(push)
        }
        return .conflict(entry)
      }),
    Fault(
      "conflict-shows-wrong-version", .state, on: .pushEntry, "a conflict reports a version that is one too high",
      .at(\.journal.pushed) { outcome, rest in
        let outcome = try await rest(outcome)
        guard case .conflict(var entry) = outcome else { return outcome }
        entry.version += 1
        return .conflict(entry)
      }),
    Fault(
      "conflict-shows-own-content", .state, on: .pushEntry,
      "a conflict reports the pushed content instead of the stored content",
      .at(\.journal.push) { push, rest in
        let outcome = try await rest(push)
        guard case .conflict(var entry) = outcome else { return outcome }
        entry.content = push.content
        return .conflict(entry)
      }),
    Fault(
      "pushes-mixed-up", .state, on: .pushEntry, "all pushes within 10 ms get the same response",
      .mixingUp(\.journal.pushed)),
    Fault(
      "serial-pushes", .latency, on: .pushEntry, "pushes are processed one after the other, 100 ms each",
      .waitingInLine(.milliseconds(100))),
  ]
}

extension JournalStore {
  /// Compares, waits, and overwrites concurrent changes with the next version; nil without an entry to overwrite.
  fileprivate func race(_ push: EntryPush) async throws -> PushOutcome? {
    guard var entry = try entry(push.id, of: push.author) else { return nil }
    if let refusal = Self.refusal(push, entry) { return refusal }
    try await Task.sleep(for: .milliseconds(20))
    (entry.version, entry.content) = (entry.version + 1, push.content)
    entry.updatedAt = try overwrite(entry)
    return .saved(entry)
  }

  /// Saves a push as the next version, regardless of the device's version.
  fileprivate func force(_ push: EntryPush) throws -> JournalEntry {
    try database.write { try Self.save(push, over: try Self.entry(push.id, $0), $0) }
  }

  /// Overwrites an entry, regardless of changes in the meantime; the time of the change.
  @discardableResult
  fileprivate func overwrite(_ entry: JournalEntry) throws -> Int {
    try database.write { database in
      var entry = entry
      entry.updatedAt = try Self.nextMoment(database)
      try Self.write(entry, database)
      return entry.updatedAt
    }
  }
}
