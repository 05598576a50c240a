import Hummingbird
import MurphyServer

extension ReferenceAPI {
  /// A journal that several devices write: versions decide which device is too late.
  static let journal = ReferenceAPI(
    "journal", "a journal that several devices write and sync, with versions and conflicts",
    contract: "scenarios/journal/openapi.yaml", operations: Operation.journal,
    faults: Fault.pushFaults + Fault.pullFaults + Fault.deviceFaults + Fault.journalContractFaults
  ) { try JournalStore(options: $0) }
}

extension JournalStore: ReferenceSystem {
  func endpoints(_ hooks: Hooks) -> [Endpoint] {
    let journal = JournalEndpoints(store: self, hooks: hooks.journal)
    return [
      Endpoint(.logIn, journal.logIn), Endpoint(.pullEntries, journal.pullEntries),
      Endpoint(.followChanges, journal.followChanges), Endpoint(.getEntry, journal.getEntry),
      Endpoint(.pushEntry, journal.pushEntry),
      Endpoint(.listPushTokens, journal.listPushTokens), Endpoint(.registerPushToken, journal.registerPushToken),
      Endpoint(.removePushToken, journal.removePushToken),
    ]
  }

  /// The device that has logged in; only `logIn` does not require one.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    if operation == .logIn { return nil }
    guard let token = BearerToken.read(request) else {
      throw APIError.unauthorized("Authorization must be Bearer with a token of POST /v1/sessions.")
    }
    guard let author = try self.author(of: token) else { throw APIError.unauthorized("The token is not known.") }
    return Client(name: "token " + token, account: author)
  }

  func write(_ error: APIError, _ json: inout JSONWriter) {
    json.member("error") { json in
      json.member("code", Self.code(of: error))
      json.member("message", error.message)
      if case .invalid(let field, _) = error { json.member("field", field) }
    }
  }

  func write(_ refusal: Refusal, _ json: inout JSONWriter) {
    json.member("error") { json in
      json.member("code", "rate_limited")
      json.member("message", refusal.message)
      json.member("retryAfter", refusal.retryAfter)
    }
  }

  private static func code(of error: APIError) -> String {
    switch error {
    case .invalid: "invalid"
    case .named(let code, _): code
    case .tooLarge: "too_large"
    default: error.title.lowercased().replacing(" ", with: "_")
    }
  }
}

/// The hooks of faults in the journal's work.
struct JournalHooks: SystemHooks {
  /// The token of a device that has logged in.
  var logIn = Hook<Int, String>()
  /// The outcome of a pushed entry.
  var push = Hook<EntryPush, PushOutcome>()
  /// The response to a push, after the decision.
  var pushed = Hook<PushOutcome, PushOutcome>()
  /// One entry, as stored.
  var entry = Hook<JournalEntry, JournalEntry>()
  /// The entries that have changed, for a pull or a stream of changes.
  var pull = Hook<EntryPull, EntryPage>()
  /// Stores a push token.
  var register = Hook<PushTokenRequest, RegisteredToken>()
  /// The push tokens of an author.
  var tokens = Hook<Int, [RegisteredToken]>()
  /// Removes a push token; false if it does not exist.
  var remove = Hook<PushTokenRemoval, Bool>()
}

extension Hooks {
  var journal: JournalHooks {
    get { self[JournalHooks.self] }
    set { self[JournalHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the journal, for effects on its data.
  var journal: JournalStore { system(JournalStore.self) }
}

extension Operation {
  /// The operations of the journal.
  static let journal = [
    logIn, pullEntries, followChanges, getEntry, pushEntry, listPushTokens, registerPushToken, removePushToken,
  ]

  static let logIn = Operation("logIn", .post, "/v1/sessions", limit: nil)
  static let pullEntries = Operation("pullEntries", .get, "/v1/entries", limit: .pulls)
  static let followChanges = Operation("followChanges", .get, "/v1/changes", limit: .pulls)
  static let getEntry = Operation("getEntry", .get, "/v1/entries/:id", limit: .entries)
  static let pushEntry = Operation("pushEntry", .put, "/v1/entries/:id", limit: .pushes)
  static let listPushTokens = Operation("listPushTokens", .get, "/v1/push-tokens", limit: .pushTokens)
  static let registerPushToken = Operation("registerPushToken", .post, "/v1/push-tokens", limit: .pushTokens)
  static let removePushToken = Operation("removePushToken", .delete, "/v1/push-tokens/:id", limit: .pushTokens)
}

/// The limits per minute of one device, identified by its access token.
extension ReferenceLimit {
  static let pulls = ReferenceLimit("pulls", allow: 60, noun: "pulls", isRead: true)
  static let entries = ReferenceLimit("entries", allow: 120, isRead: true)
  static let pushes = ReferenceLimit("pushes", allow: 60, noun: "pushes")
  static let pushTokens = ReferenceLimit("pushTokens", allow: 20, noun: "requests for push tokens")
}
