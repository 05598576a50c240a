import Hummingbird

extension ReferenceAPI {
  /// A journal that several devices write: versions decide who is too late.
  package static let journal = ReferenceAPI(
    "journal", "a journal that several devices write and sync, with versions and conflicts",
    contract: "scenarios/journal/openapi.yaml", operations: Operation.journal,
    faults: Fault.pushFaults + Fault.pullFaults + Fault.deviceFaults + Fault.journalContractFaults
  ) { try Journal(store: JournalStore(options: $0)) }
}

/// The API of the journal at work.
struct Journal: ReferenceSystem {
  let store: JournalStore

  func routes(_ hooks: Hooks) -> [Route] {
    let hooks = hooks.journal
    return [
      Route("/v1/sessions", (.post, LogIn(store: store, hooks: hooks))),
      Route("/v1/entries", (.get, PullEntries(store: store, hooks: hooks))),
      Route(
        "/v1/entries/:id", (.get, GetEntry(store: store, hooks: hooks)), (.put, PushEntry(store: store, hooks: hooks))),
      Route(
        "/v1/push-tokens", (.get, ListPushTokens(store: store, hooks: hooks)),
        (.post, RegisterPushToken(store: store, hooks: hooks))),
      Route("/v1/push-tokens/:id", (.delete, RemovePushToken(store: store, hooks: hooks))),
    ]
  }

  /// The device that has logged in; only `logIn` needs none.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    if operation == .logIn { return nil }
    guard let token = BearerToken.read(request) else {
      throw APIError.unauthorized("Authorization must be Bearer with a token of POST /v1/sessions.")
    }
    guard let author = try store.author(of: token) else { throw APIError.unauthorized("The token is not known.") }
    return Client(name: "token " + token, account: author)
  }

  let errors = ErrorFormat { error, json in
    json.object { json in
      json.member("error") { json in
        json.member("code", Journal.code(of: error))
        json.member("message", error.message)
        if case .invalid(let field, _) = error { json.member("field", field) }
      }
    }
  } refusal: { refusal, json in
    json.object { json in
      json.member("error") { json in
        json.member("code", "rate_limited")
        json.member("message", refusal.message)
        json.member("retryAfter", refusal.retryAfter)
      }
    }
  }

  private static func code(of error: APIError) -> String {
    switch error {
    case .invalid: "invalid"
    case .named(let code, _): code
    case .unauthorized: "unauthorized"
    case .notFound: "not_found"
    case .methodNotAllowed: "method_not_allowed"
    case .tooLarge: "too_large"
    case .unsupportedMediaType: "unsupported_media_type"
    }
  }

  let requestHeaders = "Authorization, Content-Type"

  func close() { store.close() }
}

/// The places where faults take hold in what the journal does.
struct JournalHooks: SystemHooks {
  /// The token of a device that has logged in.
  var logIn = Hook<Int, String>()
  /// What becomes of a pushed entry.
  var push = Hook<EntryPush, PushOutcome>()
  /// The answer to a push, once it is decided.
  var pushed = Hook<PushOutcome, PushOutcome>()
  /// One entry, as the store holds it.
  var entry = Hook<JournalEntry, JournalEntry>()
  /// The entries that have changed.
  var pull = Hook<EntryPull, EntryPage>()
  /// Keeps a push token.
  var register = Hook<PushTokenRequest, RegisteredToken>()
  /// The push tokens of an author.
  var tokens = Hook<Int, [RegisteredToken]>()
  /// Forgets a push token; false without such a one.
  var remove = Hook<PushTokenRemoval, Bool>()
}

extension Hooks {
  var journal: JournalHooks {
    get { self[JournalHooks.self] }
    set { self[JournalHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the journal, for effects on what it holds.
  var journal: JournalStore { system(Journal.self).store }
}

extension Operation {
  /// The operations of the journal.
  package static let journal = [
    logIn, pullEntries, getEntry, pushEntry, listPushTokens, registerPushToken, removePushToken,
  ]

  package static let logIn = Operation("logIn", limit: nil)
  package static let pullEntries = Operation("pullEntries", limit: .pulls)
  package static let getEntry = Operation("getEntry", limit: .entries)
  package static let pushEntry = Operation("pushEntry", limit: .pushes)
  package static let listPushTokens = Operation("listPushTokens", limit: .pushTokens)
  package static let registerPushToken = Operation("registerPushToken", limit: .pushTokens)
  package static let removePushToken = Operation("removePushToken", limit: .pushTokens)
}

/// What one device, as its access token names it, may do in a minute.
extension ReferenceLimit {
  package static let pulls = ReferenceLimit("pulls", allow: 60, noun: "pulls", isRead: true)
  package static let entries = ReferenceLimit("entries", allow: 120, isRead: true)
  package static let pushes = ReferenceLimit("pushes", allow: 60, noun: "pushes")
  package static let pushTokens = ReferenceLimit("pushTokens", allow: 20, noun: "requests for push tokens")
}
