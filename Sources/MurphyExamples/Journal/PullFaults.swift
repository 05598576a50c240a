import MurphyServer

/// The faults of reading entries.
extension Fault {
  static let pullFaults = [
    Fault(
      "pull-misses-entry", .state, on: .pullEntries, frequency: .oneIn(3), "one pull in 3 leaves out its second entry",
      .after(\.journal.pull) { _, page in if page.entries.count > 1 { page.entries.remove(at: 1) } }),
    Fault(
      "pull-repeats", .state, on: .pullEntries, "a pull repeats the last entry of the previous one",
      .before(\.journal.pull) { pull in pull.since = max(pull.since - 1, 0) }),
    Fault(
      "pull-unsorted", .state, on: .pullEntries, "the entries of a pull are in the wrong order",
      .after(\.journal.pull) { $1.entries.reverse() }),
    Fault(
      "pull-limit-ignored", .state, on: .pullEntries, "a pull returns one entry more than the limit",
      .before(\.journal.pull) { pull in pull.limit += 1 }),
    Fault(
      "pull-ends-early", .state, on: .pullEntries, "hasMore is false although there are more entries",
      .after(\.journal.pull) { $1.hasMore = false }),
    Fault(
      "pull-never-ends", .state, on: .pullEntries, "hasMore is true although there are no more entries",
      .after(\.journal.pull) { $1.hasMore = true }),
    Fault(
      "synced-too-far", .state, on: .pullEntries,
      "syncedAt is 2 s after the response, so that changes in between are missed",
      .after(\.journal.pull) { $1.syncedAt = Timestamp.microsecondsNow() + 2_000_000 }),
    Fault(
      "pull-of-another", .state, on: .pullEntries, frequency: .oneIn(4),
      "one pull in 4 returns another author's entries",
      .before(\.journal.pull) { pull in pull.author = pull.author == 1 ? 2 : pull.author - 1 }),
    Fault(
      "pulls-mixed-up", .state, on: .pullEntries, "pulls within 10 ms get the same response",
      .mixingUp(\.journal.pull)),
    Fault(
      "stream-skips-change", .state, on: .followChanges,
      "of the changes that a stream sends together, each second one is missing",
      .after(\.journal.pull) { _, page in
        page.entries = page.entries.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      }),
    Fault(
      "entry-of-another", .state, on: .getEntry, frequency: .oneIn(3), "getEntry sends another id in one response in 3",
      .after(\.journal.entry) { _, entry in
        let digit = entry.id.hasSuffix("0") ? "1" : "0"
        entry.id = entry.id.dropLast() + digit
      }),
    Fault(
      "read-goes-back", .state, on: .getEntry, frequency: .oneIn(2),
      "getEntry answers alternately from the database and from a replica up to 3 s behind", .readingOldEntries),
    Fault(
      "stale-entries", .state, on: .getEntry, "getEntry answers from a cache that is up to 3 s old", .readingOldEntries),
    Fault("slow-pull", .latency, on: .pullEntries, "pullEntries takes 600 ms longer", .delay(milliseconds: 600)),
  ]
}

extension Effect {
  fileprivate static let readingOldEntries = Effect.at(
    \.journal.entry, keeping: LaggingCopies<String, JournalEntry>(milliseconds: 3000)
  ) { replica, entry, rest in
    let entry = try await rest(entry)
    return replica.read(entry.id, entry)
  }
}
