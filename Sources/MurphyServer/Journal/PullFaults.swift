/// The faults of reading entries.
extension Fault {
  static let pullFaults = [
    Fault(
      "pull-misses-entry", .state, on: .pullEntries, frequency: .oneIn(3), "one pull in 3 leaves out its second entry",
      .pulled { page in if page.entries.count > 1 { page.entries.remove(at: 1) } }),
    Fault(
      "pull-repeats", .state, on: .pullEntries, "a pull begins with the last entry of the one before",
      .at(\.journal.pull) { pull, rest in
        var pull = pull
        pull.since = max(pull.since - 1, 0)
        return try await rest(pull)
      }),
    Fault(
      "pull-unsorted", .state, on: .pullEntries, "the entries of a pull come in the wrong order",
      .pulled { $0.entries.reverse() }),
    Fault(
      "pull-limit-ignored", .state, on: .pullEntries, "a pull brings one entry more than asked for",
      .at(\.journal.pull) { pull, rest in
        var pull = pull
        pull.limit += 1
        return try await rest(pull)
      }),
    Fault(
      "pull-ends-early", .state, on: .pullEntries, "hasMore is false though there are more entries",
      .pulled { $0.hasMore = false }),
    Fault(
      "pull-never-ends", .state, on: .pullEntries, "hasMore is true though there are no more entries",
      .pulled { $0.hasMore = true }),
    Fault(
      "synced-too-far", .state, on: .pullEntries,
      "syncedAt is the time of the answer and 2 s: changes until then are missed",
      .pulled { $0.syncedAt = Timestamp.microsecondsNow() + 2_000_000 }),
    Fault(
      "pull-of-another", .state, on: .pullEntries, frequency: .oneIn(4),
      "one pull in 4 brings another author's entries",
      .at(\.journal.pull) { pull, rest in
        var pull = pull
        pull.author = pull.author == 1 ? 2 : pull.author - 1
        return try await rest(pull)
      }),
    Fault(
      "pulls-mixed-up", .state, on: .pullEntries, "pulls that meet within 10 ms are answered alike",
      Effect { server in
        let variable = SharedVariable<EntryPage>()
        server.override(\.journal.pull) { pull, rest in
          try await variable.exchange(try await rest(pull), waiting: 10)
        }
      }),
    Fault(
      "entry-of-another", .state, on: .getEntry, frequency: .oneIn(3), "getEntry sends another id in one answer in 3",
      .at(\.journal.entry) { entry, rest in
        var entry = try await rest(entry)
        let digit = entry.id.hasSuffix("0") ? "1" : "0"
        entry.id = entry.id.dropLast() + digit
        return entry
      }),
    Fault(
      "read-goes-back", .state, on: .getEntry, frequency: .oneIn(2),
      "getEntry answers in turn from the database and from a replica up to 3 s behind", .readingOldEntries),
    Fault(
      "stale-entries", .state, on: .getEntry, "getEntry answers from a cache that is up to 3 s old", .readingOldEntries),
    Fault("slow-pull", .latency, on: .pullEntries, "pullEntries takes 600 ms longer", .delay(milliseconds: 600)),
  ]
}

extension Effect {
  fileprivate static func pulled(_ change: @escaping @Sendable (inout EntryPage) -> Void) -> Effect {
    .at(\.journal.pull) { pull, rest in
      var page = try await rest(pull)
      change(&page)
      return page
    }
  }

  fileprivate static let readingOldEntries = Effect { server in
    let replica = LaggingCopies<String, JournalEntry>(milliseconds: 3000)
    server.override(\.journal.entry) { entry, rest in
      let entry = try await rest(entry)
      return replica.read(entry.id, entry)
    }
  }
}
