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
