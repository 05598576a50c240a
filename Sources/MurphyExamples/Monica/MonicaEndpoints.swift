import MurphyServer

/// The endpoints of the contact book.
struct MonicaEndpoints: Sendable {
  let store: MonicaStore
  let hooks: MonicaHooks

  static let notFound = APIError.notFound("The resource has not been found")

  /// `POST /oauth/login`: an access token for an address and a password.
  func logIn(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(["email", "password"])
    _ = try fields.email("email")
    // Any client may read the only account. One password is rejected, for tests of clients' reactions.
    if try fields.text("password", 1...200) == "wrong" { throw APIError.unauthorized("Not authorized") }
    return Work {
      let token = try store.addToken(.login)
      return .json(.ok) { json in
        json.member("access_token", token)
        json.member("expires_in", 31_536_000)
      }
    }
  }

  /// `GET /api/contacts`: a page of the contacts, searched and sorted.
  func listContacts(_ incoming: Incoming) throws -> Work {
    let query = try PageQuery(
      incoming.request, sort: .createdAt, or: [.firstName, .lastName, .updatedAt], isSearched: true)
    return Work {
      let found = try await hooks.contacts(query, of: .listContacts) { try store.contacts($0) }
      return try await page(found, query, of: .listContacts) { $0.contact($1, at: query.origin) }
    }
  }

  /// `GET /api/contacts/{id}`: one contact.
  func getContact(_ incoming: Incoming) throws -> Work {
    let id = try contact(incoming)
    return Work {
      let contact = try await hooks.contact(id, of: .getContact) { try store.contact($0) }
      guard let contact else { throw Self.notFound }
      return .json(.ok, capacity: 2048) { json in
        json.member("data") { $0.contact(contact, at: incoming.request.origin) }
      }
    }
  }

  /// `GET /api/contacts/{id}/notes` and similar paths: a page of one contact's items.
  func listItems(_ incoming: Incoming, _ kind: ItemKind, of operation: Operation) throws -> Work {
    let query = try PageQuery(
      incoming.request, contact: try contact(incoming), sort: .createdAt, or: [.updatedAt])
    return Work {
      let found = try await hooks.items(query, of: operation) { try store.items($0, of: kind) }
      return try await page(found, query, of: operation) { $0.item($1, of: kind, at: query.origin) }
    }
  }

  /// `GET /api/tags`: all tags.
  func listTags(_ incoming: Incoming) throws -> Work {
    let query = try PageQuery(incoming.request, sort: .id)
    return Work {
      let sorted = query.isDescending ? store.tags.reversed() : store.tags
      let found = FoundPage(items: Array(sorted.dropFirst(query.offset).prefix(query.limit)), total: sorted.count)
      return try await page(found, query, of: .listTags) { $0.tag($1) }
    }
  }

  /// The id in the path, of an existing contact.
  private func contact(_ incoming: Incoming) throws -> Int {
    let id = try incoming.integerID()
    guard store.hasContact(id) else { throw Self.notFound }
    return id
  }

  /// A page with its page information.
  private func page<Item>(
    _ found: FoundPage<Item>, _ query: PageQuery, of operation: Operation, _ write: (inout JSONWriter, Item) -> Void
  ) async throws -> ServerResponse {
    let frame = try await hooks.frame(
      PageFrame(query, total: found.total, count: found.items.count), of: operation, honestly: { $0 })
    return .json(.ok, capacity: 1024 + found.items.count * 2048) { json in
      json.member("data", each: found.items, write)
      json.frame(frame)
    }
  }
}
