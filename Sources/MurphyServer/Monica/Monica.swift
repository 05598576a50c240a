import Hummingbird

extension ReferenceAPI {
  /// The read side of Monica, a contact book.
  package static let monica = ReferenceAPI(
    "monica", "the read side of the contact book Monica (API v4), with 10,000 contacts",
    contract: "scenarios/monica/openapi.yaml", operations: Operation.monica,
    faults: Fault.pageFaults + Fault.contactFaults + Fault.monicaContractFaults, rateHeaders: .laravel
  ) { try Monica(store: MonicaStore(options: $0)) }
}

/// The contact book at work.
struct Monica: ReferenceSystem {
  let store: MonicaStore

  func routes(_ hooks: Hooks) -> [Route] {
    let hooks = hooks.monica
    return [
      Route("/oauth/login", (.post, OAuthLogin(store: store, hooks: hooks))),
      Route("/api/contacts", (.get, ListContacts(store: store, hooks: hooks))),
      Route("/api/contacts/:id", (.get, GetContact(store: store, hooks: hooks))),
      Route("/api/contacts/:id/activities", (.get, ListItems<ActivityKind>(store: store, hooks: hooks))),
      Route("/api/contacts/:id/notes", (.get, ListItems<NoteKind>(store: store, hooks: hooks))),
      Route("/api/contacts/:id/tasks", (.get, ListItems<TaskKind>(store: store, hooks: hooks))),
      Route("/api/contacts/:id/gifts", (.get, ListItems<GiftKind>(store: store, hooks: hooks))),
      Route("/api/tags", (.get, ListTags(store: store, hooks: hooks))),
    ]
  }

  /// The token of somebody who has logged in; only `oauthLogin` needs none.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    if operation == .oauthLogin { return nil }
    guard let token = BearerToken.read(request), try store.isKnown(token: token) else {
      throw APIError.unauthorized("Not authorized")
    }
    return Client(name: "token " + token, account: MonicaStore.account)
  }

  let errors = ErrorFormat { error, json in
    json.error(error.message, code: Monica.code(of: error))
  } refusal: { refusal, json in
    json.error("Too many attempts, please slow down the request.", code: 34)
  }

  /// The numbers that Monica's API has for its errors.
  private static func code(of error: APIError) -> Int {
    switch error {
    case .named("limit", _): 30
    case .notFound, .methodNotAllowed: 31
    case .tooLarge, .unsupportedMediaType: 37
    case .named("sort", _): 39
    case .invalid, .named: 41
    case .unauthorized: 42
    }
  }

  let requestHeaders = "Authorization, Content-Type"

  func close() { store.close() }
}

extension JSONWriter {
  fileprivate mutating func error(_ message: String, code: Int) {
    object { json in
      json.member("error") { json in
        json.member("message", message)
        json.member("error_code", code)
      }
    }
  }
}

/// The places where faults take hold in what the contact book does.
struct MonicaHooks: SystemHooks {
  /// A page of contacts, as the store finds it.
  var contacts = Hook<PageQuery, FoundPage<Contact>>()
  /// One contact.
  var contact = Hook<Int, Contact?>()
  /// A page of what belongs to a contact.
  var items = Hook<PageQuery, FoundPage<ContactItem>>()
  /// What an answer says of its page.
  var frame = Hook<PageFrame, PageFrame>()
}

extension Hooks {
  var monica: MonicaHooks {
    get { self[MonicaHooks.self] }
    set { self[MonicaHooks.self] = newValue }
  }
}

extension Operation {
  /// The operations of the contact book.
  package static let monica = [
    oauthLogin, listContacts, getContact, listContactActivities, listContactNotes, listContactTasks, listContactGifts,
    listTags,
  ]

  package static let oauthLogin = Operation("oauthLogin", limit: nil)
  package static let listContacts = Operation("listContacts", limit: .api)
  package static let getContact = Operation("getContact", limit: .api)
  package static let listContactActivities = Operation("listContactActivities", limit: .api)
  package static let listContactNotes = Operation("listContactNotes", limit: .api)
  package static let listContactTasks = Operation("listContactTasks", limit: .api)
  package static let listContactGifts = Operation("listContactGifts", limit: .api)
  package static let listTags = Operation("listTags", limit: .api)
}

extension ReferenceLimit {
  /// All requests of one token share a counter.
  package static let api = ReferenceLimit("api", allow: 60, isRead: true)
}
