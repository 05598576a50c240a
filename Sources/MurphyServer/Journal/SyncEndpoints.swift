import Hummingbird

/// `POST /v1/sessions`: one more device of an author; who is new gets a journal.
struct LogIn: Endpoint {
  static let operation = Operation.logIn
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> String {
    try await RequestFields(request, known: ["email"]).email("email")
  }

  func answer(_ email: String, to caller: Caller) async throws -> Answer {
    let author = try store.author(email: email)
    let token = try await hooks.logIn(author, of: Self.operation) { try store.addDevice(of: $0) }
    return .json(.created) { json in
      json.object { json in
        json.member("token", token)
        json.member("authorId", author)
      }
    }
  }
}

/// `GET /v1/entries`: what has changed since the last sync.
struct PullEntries: Endpoint {
  static let operation = Operation.pullEntries
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> EntryPull {
    let query = QueryString(request.uri.query)
    var since = 0
    if let text = query["lastSyncAt"] {
      guard let moment = Timestamp.microseconds(text) else {
        throw APIError.invalid("lastSyncAt", "lastSyncAt must be a date-time such as 2024-01-15T10:30:00Z.")
      }
      since = moment
    }
    return EntryPull(author: caller.account, since: since, limit: try query.integer("limit", 1...100) ?? 50)
  }

  func answer(_ pull: EntryPull, to caller: Caller) async throws -> Answer {
    let page = try await hooks.pull(pull, of: Self.operation) { try store.pull($0) }
    return .json(.ok, capacity: 256 + page.entries.count * 384) { json in
      json.object { json in
        json.member("entries", each: page.entries) { $0.entry($1) }
        json.member("limit", pull.limit)
        json.member("hasMore", page.hasMore)
        json.member("syncedAt", Timestamp.text(microsecondsSince1970: page.syncedAt))
      }
    }
  }
}

/// `GET /v1/entries/{id}`: one entry.
struct GetEntry: Endpoint {
  static let operation = Operation.getEntry
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> JournalEntry {
    let id = try PathID.uuid(id)
    guard let entry = try store.entry(id, of: caller.account) else {
      throw APIError.notFound("There is no entry \(id).")
    }
    return entry
  }

  func answer(_ entry: JournalEntry, to caller: Caller) async throws -> Answer {
    let entry = try await hooks.entry(entry, of: Self.operation) { $0 }
    return .json(.ok) { $0.entry(entry) }
  }
}

/// `PUT /v1/entries/{id}`: uploads a change that was made on a device.
struct PushEntry: Endpoint {
  static let operation = Operation.pushEntry
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> EntryPush {
    let id = try PathID.uuid(id)
    let fields = try await RequestFields(request, known: ["version", "content"])
    return EntryPush(
      id: id, author: caller.account, version: try fields.integer("version", 0...1_000_000_000),
      content: try fields.text("content", 1...10_000))
  }

  func answer(_ push: EntryPush, to caller: Caller) async throws -> Answer {
    let decided = try await hooks.push(push, of: Self.operation) { try store.push($0) }
    switch try await hooks.pushed(decided, of: Self.operation, honestly: { $0 }) {
    case .saved(let entry): return .json(entry.version == 1 ? .created : .ok) { $0.entry(entry) }
    case .conflict(let entry):
      return .json(.conflict) { json in
        json.object { json in
          json.member("error") { json in
            json.member("code", "conflict")
            json.member("message", "The entry has version \(entry.version) by now.")
          }
          json.name("entry")
          json.entry(entry)
        }
      }
    case .ahead(let current):
      return .json(.unprocessableContent) { json in
        json.object { json in
          json.member("error") { json in
            json.member("code", "version_ahead")
            json.member("message", "Version \(push.version) was never given.")
            json.member("currentVersion", current)
          }
        }
      }
    case .foreign: throw APIError.notFound("There is no entry \(push.id).")
    }
  }
}
