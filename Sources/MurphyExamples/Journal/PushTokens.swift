import GRDB
import MurphyServer

/// A device's address with its push service.
struct PushTokenRequest: Sendable, Equatable {
  enum Platform: String, CaseIterable, Sendable {
    case ios, android, web
  }

  var author: Int
  var token: String
  var platform: Platform
}

/// A stored push token.
struct RegisteredToken: FetchableRecord, Sendable, Equatable {
  var id: Int
  var token: String
  var platform: String
  /// Microseconds since 1970.
  var createdAt: Int
  /// True if it did not exist before.
  var isNew = false

  /// A row of `SELECT id, token, platform, created_at`.
  init(row: Row) {
    id = row[0]
    token = row[1]
    platform = row[2]
    createdAt = row[3]
  }
}

/// The removal of a push token.
struct PushTokenRemoval: Sendable, Equatable {
  var author: Int
  var id: Int
}

extension JournalStore {
  private static let columns = "SELECT id, token, platform, created_at FROM push_tokens"

  /// Stores a token. If the author has registered it before, it keeps its id and gets the new platform.
  func register(_ request: PushTokenRequest) throws -> RegisteredToken {
    try database.write { database in
      let known = try Bool.fetchOne(
        database, sql: "SELECT TRUE FROM push_tokens WHERE author = ? AND token = ?",
        arguments: [request.author, request.token])
      try database.execute(
        sql: """
          INSERT INTO push_tokens (author, token, platform, created_at) VALUES (?, ?, ?, ?)
          ON CONFLICT (author, token) DO UPDATE SET platform = excluded.platform
          """,
        arguments: [request.author, request.token, request.platform.rawValue, Timestamp.microsecondsNow()])
      var token = try RegisteredToken.fetchOne(
        database, sql: Self.columns + " WHERE author = ? AND token = ?", arguments: [request.author, request.token])
      token?.isNew = known == nil
      guard let token else { throw ServerError("a push token that was stored is missing") }
      return token
    }
  }

  /// The author's tokens in the order of their registration.
  func pushTokens(of author: Int) throws -> [RegisteredToken] {
    try database.unsafeRead { database in
      try RegisteredToken.fetchAll(
        database, sql: Self.columns + " WHERE author = ? ORDER BY id", arguments: [author])
    }
  }

  /// The token that was registered last, by any author.
  func newestPushToken() throws -> RegisteredToken? {
    try database.unsafeRead { try RegisteredToken.fetchOne($0, sql: Self.columns + " ORDER BY id DESC") }
  }

  /// Removes a token; false if it does not exist.
  func remove(_ removal: PushTokenRemoval) throws -> Bool {
    try database.write { database in
      try database.execute(
        sql: "DELETE FROM push_tokens WHERE author = ? AND id = ?", arguments: [removal.author, removal.id])
      return database.changesCount == 1
    }
  }
}

extension JournalEndpoints {
  /// `GET /v1/push-tokens`: the author's push tokens.
  func listPushTokens(_ incoming: Incoming) -> Work {
    Work {
      let tokens = try await hooks.tokens(incoming.caller.account, of: .listPushTokens) { try store.pushTokens(of: $0) }
      return .json(.ok) { json in json.member("pushTokens", each: tokens) { $0.pushToken($1) } }
    }
  }

  /// `POST /v1/push-tokens`: registers a device for notifications.
  func registerPushToken(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(["token", "platform"])
    let request = PushTokenRequest(
      author: incoming.caller.account, token: try fields.text("token", 8...256),
      platform: try fields.choice("platform"))
    return Work {
      let token = try await hooks.register(request, of: .registerPushToken) { try store.register($0) }
      return .json(token.isNew ? .created : .ok) { $0.pushToken(token) }
    }
  }

  /// `DELETE /v1/push-tokens/{id}`: unregisters a device from notifications.
  func removePushToken(_ incoming: Incoming) throws -> Work {
    let removal = PushTokenRemoval(author: incoming.caller.account, id: try incoming.integerID())
    return Work {
      let isGone = try await hooks.remove(removal, of: .removePushToken) { try store.remove($0) }
      guard isGone else { throw APIError.notFound("There is no push token \(removal.id).") }
      return .noContent
    }
  }
}

extension JSONWriter {
  fileprivate mutating func pushToken(_ token: RegisteredToken) {
    member("id", token.id)
    member("token", token.token)
    member("platform", token.platform)
    member("createdAt", Timestamp.text(microsecondsSince1970: token.createdAt))
  }
}
