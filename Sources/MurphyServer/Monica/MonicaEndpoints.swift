import Hummingbird

/// `POST /oauth/login`: an access token for an address and a password.
struct OAuthLogin: Endpoint {
  static let operation = Operation.oauthLogin
  let store: MonicaStore
  let hooks: MonicaHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws {
    let fields = try await RequestFields(request, known: ["email", "password"])
    _ = try fields.email("email")
    // Anybody may read the one account; a password is refused for tests of what clients do then.
    if try fields.text("password", 1...200) == "wrong" { throw APIError.unauthorized("Not authorized") }
  }

  func answer(_ input: Void, to caller: Caller) throws -> Answer {
    let token = try store.addToken()
    return .json(.ok) { json in
      json.object { json in
        json.member("access_token", token)
        json.member("expires_in", 31_536_000)
      }
    }
  }
}

/// `GET /api/contacts`: a page of the contacts, searched and sorted.
struct ListContacts: Endpoint {
  static let operation = Operation.listContacts
  let store: MonicaStore
  let hooks: MonicaHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> PageQuery {
    try PageQuery(request, sort: .createdAt, or: [.firstName, .lastName, .updatedAt], isSearched: true)
  }

  func answer(_ query: PageQuery, to caller: Caller) async throws -> Answer {
    let found = try await hooks.contacts(query, of: Self.operation) { try store.contacts($0) }
    let frame = try await hooks.frame(
      PageFrame(query, total: found.total, count: found.items.count), of: Self.operation, honestly: { $0 })
    return .page(found, frame) { $0.contact($1, at: query.origin) }
  }
}

/// `GET /api/contacts/{id}`: one contact.
struct GetContact: Endpoint {
  static let operation = Operation.getContact
  let store: MonicaStore
  let hooks: MonicaHooks

  struct Input: Sendable {
    var id: Int
    /// `http://127.0.0.1:8080`
    var origin: String
  }

  func read(_ request: Request, id: String?, from caller: Caller) throws -> Input {
    let id = try PathID.integer(id)
    guard store.hasContact(id) else { throw APIError.notFound("The resource has not been found") }
    return Input(id: id, origin: request.origin)
  }

  func answer(_ input: Input, to caller: Caller) async throws -> Answer {
    let contact = try await hooks.contact(input.id, of: Self.operation) { try store.contact($0) }
    guard let contact else { throw APIError.notFound("The resource has not been found") }
    return .json(.ok, capacity: 2048) { json in
      json.object { json in
        json.name("data")
        json.contact(contact, at: input.origin)
      }
    }
  }
}

/// `GET /api/contacts/{id}/notes` and its like: a page of what belongs to one contact.
struct ListItems<Kind: ItemKind>: Endpoint {
  static var operation: Operation { Kind.operation }
  let store: MonicaStore
  let hooks: MonicaHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> PageQuery {
    let id = try PathID.integer(id)
    guard store.hasContact(id) else { throw APIError.notFound("The resource has not been found") }
    return try PageQuery(request, contact: id, sort: .createdAt, or: [.updatedAt])
  }

  func answer(_ query: PageQuery, to caller: Caller) async throws -> Answer {
    let found = try await hooks.items(query, of: Self.operation) { try store.items($0, of: Kind.name) }
    let frame = try await hooks.frame(
      PageFrame(query, total: found.total, count: found.items.count), of: Self.operation, honestly: { $0 })
    return .page(found, frame) { $0.item($1, of: Kind.self, at: query.origin) }
  }
}

/// `GET /api/tags`: all tags.
struct ListTags: Endpoint {
  static let operation = Operation.listTags
  let store: MonicaStore
  let hooks: MonicaHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> PageQuery {
    try PageQuery(request, sort: .id)
  }

  func answer(_ query: PageQuery, to caller: Caller) async throws -> Answer {
    let sorted = query.isDescending ? store.tags.sorted { $0.id > $1.id } : store.tags.sorted { $0.id < $1.id }
    let found = FoundPage(items: Array(sorted.dropFirst(query.offset).prefix(query.limit)), total: sorted.count)
    let frame = try await hooks.frame(
      PageFrame(query, total: found.total, count: found.items.count), of: Self.operation, honestly: { $0 })
    return .page(found, frame) { $0.tag($1) }
  }
}
