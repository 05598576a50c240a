import Hummingbird
import MurphyServer

extension ReferenceAPI {
  /// The read side of Monica, a contact book, and its documents.
  static let monica = ReferenceAPI(
    "monica", "the read operations of the contact book Monica (API v4), with 10,000 contacts",
    contract: "scenarios/monica/openapi.yaml", operations: Operation.monica,
    faults: Fault.pageFaults + Fault.contactFaults + Fault.grantFaults + Fault.documentFaults
      + Fault.monicaContractFaults, rateHeaders: .laravel
  ) { try MonicaStore(options: $0) }
}

extension MonicaStore: ReferenceSystem {
  func endpoints(_ hooks: Hooks) -> [Endpoint] {
    let monica = MonicaEndpoints(store: self, hooks: hooks.monica)
    return [
      Endpoint(.oauthLogin, monica.logIn), Endpoint(.oauthToken, monica.issueToken),
      Endpoint(.listContacts, monica.listContacts), Endpoint(.getContact, monica.getContact),
      Endpoint(.listContactActivities) { try monica.listItems($0, .activity, of: .listContactActivities) },
      Endpoint(.listContactNotes) { try monica.listItems($0, .note, of: .listContactNotes) },
      Endpoint(.listContactTasks) { try monica.listItems($0, .task, of: .listContactTasks) },
      Endpoint(.listContactGifts) { try monica.listItems($0, .gift, of: .listContactGifts) },
      Endpoint(.listTags, monica.listTags), Endpoint(.createDocument, monica.createDocument),
    ]
  }

  /// The token of a user or a client. The operations that issue tokens do not require one, and `createDocument` also
  /// requires the scope `write`.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    if operation == .oauthLogin || operation == .oauthToken { return nil }
    guard let token = BearerToken.read(request), let scopes = try scopes(of: token) else {
      throw APIError.unauthorized("Not authorized")
    }
    guard operation != .createDocument || scopes.contains(.write) else {
      throw APIError.forbidden("Invalid scope(s) provided.")
    }
    return Client(name: "token " + token, account: Self.account)
  }

  func write(_ error: APIError, _ json: inout JSONWriter) { json.error(error.message, code: Self.code(of: error)) }

  func write(_ refusal: Refusal, _ json: inout JSONWriter) {
    json.error("Too many attempts, please slow down the request.", code: 34)
  }

  /// The error codes of Monica's API.
  private static func code(of error: APIError) -> Int {
    switch error {
    case .named("limit", _): 30
    case .notFound, .methodNotAllowed: 31
    case .tooLarge, .unsupportedMediaType: 37
    case .named("sort", _): 39
    case .invalid, .named: 41
    case .unauthorized, .forbidden: 42
    }
  }
}

extension JSONWriter {
  fileprivate mutating func error(_ message: String, code: Int) {
    member("error") { json in
      json.member("message", message)
      json.member("error_code", code)
    }
  }
}

/// The hooks of faults in the contact book's work.
struct MonicaHooks: SystemHooks {
  /// A page of contacts, as the store returns it.
  var contacts = Hook<PageQuery, FoundPage<Contact>>()
  var contact = Hook<Int, Contact?>()
  /// A page of a contact's items.
  var items = Hook<PageQuery, FoundPage<ContactItem>>()
  /// The page information in a response.
  var frame = Hook<PageFrame, PageFrame>()
  /// Stores a grant; returns its token.
  var grant = Hook<AccessGrant, String>()
  /// Stores a document.
  var document = Hook<Document, StoredDocument>()
}

extension Hooks {
  var monica: MonicaHooks {
    get { self[MonicaHooks.self] }
    set { self[MonicaHooks.self] = newValue }
  }
}

extension Operation {
  /// The operations of the contact book.
  static let monica = [
    oauthLogin, oauthToken, listContacts, getContact, listContactActivities, listContactNotes, listContactTasks,
    listContactGifts, listTags, createDocument,
  ]

  static let oauthLogin = Operation("oauthLogin", .post, "/oauth/login", limit: nil)
  static let oauthToken = Operation("oauthToken", .post, "/oauth/token", limit: nil)
  static let listContacts = Operation("listContacts", .get, "/api/contacts", limit: .api)
  static let getContact = Operation("getContact", .get, "/api/contacts/:id", limit: .api)
  static let listContactActivities = Operation(
    "listContactActivities", .get, "/api/contacts/:id/activities", limit: .api)
  static let listContactNotes = Operation("listContactNotes", .get, "/api/contacts/:id/notes", limit: .api)
  static let listContactTasks = Operation("listContactTasks", .get, "/api/contacts/:id/tasks", limit: .api)
  static let listContactGifts = Operation("listContactGifts", .get, "/api/contacts/:id/gifts", limit: .api)
  static let listTags = Operation("listTags", .get, "/api/tags", limit: .api)
  static let createDocument = Operation("createDocument", .post, "/api/documents", limit: .api)
}

extension ReferenceLimit {
  /// All requests of one token share a counter.
  static let api = ReferenceLimit("api", allow: 60, isRead: true)
}
