import GRDB
import Hummingbird

/// A device's address with its push service.
struct PushTokenRequest: Sendable, Equatable {
  enum Platform: String, CaseIterable, Sendable {
    case ios, android, web
  }

  var author: Int
  var token: String
  var platform: Platform
}

/// A push token that is kept.
struct RegisteredToken: Sendable, Equatable {
  var id: Int
  var token: String
  var platform: String
  /// Microseconds since 1970.
  var createdAt: Int
  /// Whether it was not there before.
  var isNew = false
}

/// A push token to be forgotten.
struct PushTokenRemoval: Sendable, Equatable {
  var author: Int
  var id: Int
}

extension JournalStore {
  /// Keeps a token; one that the author has registered before keeps its id and takes the new platform.
  func register(_ request: PushTokenRequest) throws -> RegisteredToken {
    try database.exclusively { database in
      let known = try Bool.fetchOne(
        database, sql: "SELECT TRUE FROM push_tokens WHERE author = ? AND token = ?",
        arguments: [request.author, request.token])
      try database.execute(
        sql: """
          INSERT INTO push_tokens (author, token, platform, created_at) VALUES (?, ?, ?, ?)
          ON CONFLICT (author, token) DO UPDATE SET platform = excluded.platform
          """,
        arguments: [request.author, request.token, request.platform.rawValue, Timestamp.microsecondsNow()])
      let row = try Row.fetchOne(
        database, sql: "SELECT id, token, platform, created_at FROM push_tokens WHERE author = ? AND token = ?",
        arguments: [request.author, request.token])
      guard let row else { throw ServerError("a push token that was stored is not there") }
      return RegisteredToken(id: row[0], token: row[1], platform: row[2], createdAt: row[3], isNew: known == nil)
    }
  }

  /// The author's tokens in the order of their registration.
  func pushTokens(of author: Int) throws -> [RegisteredToken] {
    try database.unsafeRead { database in
      try Row.fetchAll(
        database, sql: "SELECT id, token, platform, created_at FROM push_tokens WHERE author = ? ORDER BY id",
        arguments: [author]
      ).map { RegisteredToken(id: $0[0], token: $0[1], platform: $0[2], createdAt: $0[3]) }
    }
  }

  /// The token that was registered last, by whomever.
  func newestPushToken() throws -> RegisteredToken? {
    try database.unsafeRead { database in
      try Row.fetchOne(database, sql: "SELECT id, token, platform, created_at FROM push_tokens ORDER BY id DESC")
        .map { RegisteredToken(id: $0[0], token: $0[1], platform: $0[2], createdAt: $0[3]) }
    }
  }

  /// Forgets a token; false without such a one.
  func remove(_ removal: PushTokenRemoval) throws -> Bool {
    try database.exclusively { database in
      try database.execute(
        sql: "DELETE FROM push_tokens WHERE author = ? AND id = ?", arguments: [removal.author, removal.id])
      return database.changesCount == 1
    }
  }
}

/// `GET /v1/push-tokens`: the author's push tokens.
struct ListPushTokens: Endpoint {
  static let operation = Operation.listPushTokens
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) {}

  func answer(_ input: Void, to caller: Caller) async throws -> Answer {
    let tokens = try await hooks.tokens(caller.account, of: Self.operation) { try store.pushTokens(of: $0) }
    return .json(.ok) { json in
      json.object { $0.member("pushTokens", each: tokens) { $0.pushToken($1) } }
    }
  }
}

/// `POST /v1/push-tokens`: registers a device for notifications.
struct RegisterPushToken: Endpoint {
  static let operation = Operation.registerPushToken
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> PushTokenRequest {
    let fields = try await RequestFields(request, known: ["token", "platform"])
    return PushTokenRequest(
      author: caller.account, token: try fields.text("token", 8...256), platform: try fields.choice("platform"))
  }

  func answer(_ request: PushTokenRequest, to caller: Caller) async throws -> Answer {
    let token = try await hooks.register(request, of: Self.operation) { try store.register($0) }
    return .json(token.isNew ? .created : .ok) { $0.pushToken(token) }
  }
}

/// `DELETE /v1/push-tokens/{id}`: a device wants no more notifications.
struct RemovePushToken: Endpoint {
  static let operation = Operation.removePushToken
  let store: JournalStore
  let hooks: JournalHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> PushTokenRemoval {
    PushTokenRemoval(author: caller.account, id: try PathID.integer(id))
  }

  func answer(_ removal: PushTokenRemoval, to caller: Caller) async throws -> Answer {
    let isGone = try await hooks.remove(removal, of: Self.operation) { try store.remove($0) }
    guard isGone else { throw APIError.notFound("There is no push token \(removal.id).") }
    return .noContent
  }
}

extension JSONWriter {
  fileprivate mutating func pushToken(_ token: RegisteredToken) {
    object { json in
      json.member("id", token.id)
      json.member("token", token.token)
      json.member("platform", token.platform)
      json.member("createdAt", Timestamp.text(microsecondsSince1970: token.createdAt))
    }
  }
}
