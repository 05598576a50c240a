import GRDB
import Hummingbird
import MurphyServer

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
      "a list of push tokens also contains the token that any author registered last",
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
      "entry-without-version", .contract, on: .getEntry, "getEntry leaves out version", .body { $0.remove("version") }),
    Fault(
      "version-as-text", .contract, on: .pullEntries, "pullEntries sends versions as strings",
      .body { $0.change("version") { "\"\($0)\"" } }),
    Fault(
      "version-zero", .contract, on: .pushEntry, frequency: .oneIn(5), "one push in 5 is answered with version 0",
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
      "wrong-platform", .contract, on: .registerPushToken, "registerPushToken answers with platform \"apns\"",
      .body { $0.set("platform", to: "\"apns\"") }),
    Fault(
      "conflict-without-entry", .contract, on: .pushEntry, "a conflict leaves out the stored entry",
      .leaving(.conflict) { answer in answer.change { $0.remove("entry") } }),
    Fault(
      "conflict-as-412", .contract, on: .pushEntry, "a conflict has status 412",
      .leaving(.conflict) { $0.status = .preconditionFailed }),
    Fault(
      "conflict-as-500", .contract, on: .pushEntry, "a conflict is answered with 500",
      .leaving(.conflict) { answer in answer = .internalError("UNIQUE constraint failed: entries.version") }),
  ]
}
