import GRDB
import Hummingbird
import MurphyServer

/// The faults of reading entries.
extension Fault {
  static let pullFaults = [
    Fault(
      "pull-misses-entry", .state, on: .pullEntries, frequency: .oneIn(3), "one pull in 3 omits its second entry",
      .after(\.journal.pull) { _, page in if page.entries.count > 1 { page.entries.remove(at: 1) } }),
    Fault(
      "pull-repeats", .state, on: .pullEntries, "a pull repeats the last entry of the previous pull",
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
      "if a stream sends several changes together, every second change is missing",
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
      "getEntry reads alternately from the database and from a replica up to 3 s behind", .readingOldEntries),
    Fault(
      "stale-entries", .state, on: .getEntry, "getEntry reads from a cache that is up to 3 s old", .readingOldEntries),
    Fault("slow-pull", .latency, on: .pullEntries, "pullEntries takes 600 ms longer", .delay(.milliseconds(600))),
  ]
}

extension Effect {
  fileprivate static let readingOldEntries = Effect.at(
    \.journal.entry, keeping: LaggingCopies<String, JournalEntry>(age: .milliseconds(3000))
  ) { replica, entry, rest in
    let entry = try await rest(entry)
    return replica.read(entry.id, entry)
  }
}

/// The faults of devices and their push tokens, and those that change a finished response.
extension Fault {
  static let deviceFaults = [
    Fault(
      "logins-mixed-up", .state, on: .logIn, "devices that log in within 10 ms get the same token",
      .mixingUp(\.journal.logIn)),
    Fault(
      "push-token-twice", .state, on: .registerPushToken, "a push token that is registered again gets a second id",
      .at(\.journal.register, with: \.journal) { store, request, rest in
        var again = request
        if try store.pushTokens(of: request.author).contains(where: { $0.token == request.token }) {
          again.token += " "
        }
        var token = try await rest(again)
        token.token = request.token
        return token
      }),
    Fault(
      "push-token-lost", .state, on: .registerPushToken, frequency: .oneIn(3),
      "one push token in 3 is confirmed but not stored",
      .at(\.journal.register, with: \.journal) { store, request, rest in
        let token = try await rest(request)
        _ = try store.remove(PushTokenRemoval(author: request.author, id: token.id))
        return token
      }),
    Fault(
      "push-token-of-another", .state, on: .listPushTokens,
      "a list of push tokens also contains the token that was registered last by any author",
      .at(\.journal.tokens, with: \.journal) { store, author, rest in
        let own = try await rest(author)
        guard let newest = try store.newestPushToken(), !own.contains(newest) else { return own }
        return own + [newest]
      }),
    Fault(
      "removed-push-token-stays", .state, on: .removePushToken,
      "removePushToken confirms the removal but keeps the token",
      .at(\.journal.remove) { _, _ in true }),
  ]

  static let journalContractFaults = [
    Fault(
      "entry-without-version", .contract, on: .getEntry, "getEntry omits version", .body { $0.remove("version") }),
    Fault(
      "version-as-text", .contract, on: .pullEntries, "pullEntries sends versions as strings",
      .body { $0.change("version") { "\"\($0)\"" } }),
    Fault(
      "version-zero", .contract, on: .pushEntry, frequency: .oneIn(5), "one push in 5 gets version 0",
      .body { $0.set("version", to: "0") }),
    Fault(
      "date-without-zone", .contract, on: .getEntry, "getEntry sends updatedAt without a time zone",
      .body { $0.change("updatedAt") { $0.replacing("Z", with: "") } }),
    Fault(
      "has-more-as-number", .contract, on: .pullEntries, "pullEntries sends hasMore as 0 or 1",
      .body { $0.change("hasMore") { $0 == "true" ? "1" : "0" } }),
    Fault(
      "content-doubled", .contract, on: .getEntry, "getEntry sends an undocumented field",
      .body { $0.change("content") { "\($0),\"text\":\($0)" } }),
    Fault(
      "wrong-platform", .contract, on: .registerPushToken, "registerPushToken returns platform \"apns\"",
      .body { $0.set("platform", to: "\"apns\"") }),
    Fault(
      "conflict-without-entry", .contract, on: .pushEntry, "a conflict omits the stored entry",
      .leaving(.conflict) { response in response.change { $0.remove("entry") } }),
    Fault(
      "conflict-as-412", .contract, on: .pushEntry, "a conflict has status 412",
      .leaving(.conflict) { $0.status = .preconditionFailed }),
    Fault(
      "conflict-as-500", .contract, on: .pushEntry, "a conflict has status 500",
      .leaving(.conflict) { response in response = .internalError("UNIQUE constraint failed: entries.version") }),
  ]
}
