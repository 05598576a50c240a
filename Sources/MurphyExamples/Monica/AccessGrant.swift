import Foundation
import GRDB
import Hummingbird
import MurphyModel
import MurphyServer

/// The rights of an access token, as Laravel Passport grants them.
struct AccessGrant: Sendable, Equatable {
  enum Scope: String, CaseIterable, Sendable {
    case read, write
  }

  var scopes: Set<Scope>
  /// Seconds; nil for a token that is valid as long as the server runs.
  var lifetime: Int?

  /// The scopes as OAuth writes them: `read write`.
  var scope: String { Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ") }

  /// The grant for all requests of a user who has logged in.
  static let login = AccessGrant(scopes: Set(Scope.allCases), lifetime: nil)
}

/// A rejected token request (RFC 6749, section 5.2).
private struct OAuthError: Error {
  var status = HTTPResponse.Status.badRequest
  var code: String
  var description: String

  var response: ServerResponse {
    var response = ServerResponse.json(status) { json in
      json.member("error", code)
      json.member("error_description", description)
      json.member("message", description)
    }
    if status == .unauthorized { response.headers[.wwwAuthenticate] = "Basic realm=\"monica\"" }
    return response
  }
}

extension MonicaEndpoints {
  /// `POST /oauth/token`: an access token for a client that identifies itself.
  func issueToken(_ incoming: Incoming) async throws -> Work {
    let form = try await incoming.form()
    let grant: AccessGrant
    do {
      grant = try Self.grant(form, incoming.request, lifetime: store.tokenLifetime)
    } catch {
      return Work { error.response }
    }
    return Work {
      let token = try await hooks.grant(grant, of: .oauthToken) { try store.addToken($0) }
      var response = ServerResponse.json(.ok) { json in
        json.member("token_type", "Bearer")
        json.member("expires_in", grant.lifetime)
        json.member("access_token", token)
        json.member("scope", grant.scope)
      }
      response.headers[.cacheControl] = "no-store"
      return response
    }
  }

  private static func grant(
    _ form: RequestFields, _ request: Request, lifetime: Int
  ) throws(OAuthError) -> AccessGrant {
    do {
      guard try form.text("grant_type", 1...100) == "client_credentials" else {
        throw OAuthError(code: "unsupported_grant_type", description: "grant_type must be client_credentials.")
      }
      let secret = try BasicCredentials(request)?.password ?? form.credentials()
      // Any client may read the only account. One secret is rejected, for tests of clients' reactions.
      guard 1...200 ~= secret.unicodeScalars.count, secret != "wrong" else {
        throw OAuthError(status: .unauthorized, code: "invalid_client", description: "Client authentication failed")
      }
      let names = try form.optionalText("scope", 0...100)?.split(separator: " ") ?? ["read"]
      let scopes = names.compactMap { AccessGrant.Scope(rawValue: String($0)) }
      guard !scopes.isEmpty, scopes.count == names.count else {
        throw OAuthError(code: "invalid_scope", description: "scope must be read, write or both.")
      }
      return AccessGrant(scopes: Set(scopes), lifetime: lifetime)
    } catch let error as OAuthError {
      throw error
    } catch {
      throw OAuthError(code: "invalid_request", description: (error as? APIError)?.message ?? "\(error)")
    }
  }
}

extension RequestFields {
  /// The secret of a client that identifies itself in the form (RFC 6749, section 2.3.1).
  fileprivate func credentials() throws(APIError) -> String {
    _ = try text("client_id", 1...100)
    return try text("client_secret", 1...200)
  }
}

/// The name and password in `Authorization: Basic` (RFC 7617), each encoded as in a form (RFC 6749, section 2.3.1).
private struct BasicCredentials {
  let password: String

  /// Nil for a request without such a header, or with one that cannot be decoded.
  init?(_ request: Request) {
    let words = (request.headers[.authorization] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(words[1])) else {
      return nil
    }
    let sides = String(decoding: bytes, as: UTF8.self)
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    password = PercentEncoding.decode(form: sides[1])
  }
}

extension MonicaStore {
  /// A new, unique token.
  func addToken(_ grant: AccessGrant) throws -> String {
    let end = grant.lifetime.map { now() + Int64($0) * 1_000_000_000 }
    return try database.write { database in
      try database.execute(
        sql: "INSERT INTO tokens (scope, expires_at) VALUES (?, ?)", arguments: [grant.scope, end])
      let id = database.lastInsertedRowID
      var numbers = SeededNumbers(seed: seed ^ 0x0A17 &+ UInt64(id) &* 0x1_0003)
      let token = "mo_" + numbers.letters(40)
      try database.execute(sql: "UPDATE tokens SET token = ? WHERE id = ?", arguments: [token, id])
      return token
    }
  }

  /// The scopes of a token; nil for an unknown or expired one.
  func scopes(of token: String) throws -> Set<AccessGrant.Scope>? {
    try database.unsafeRead { database in
      let row = try database.row("SELECT scope, expires_at FROM tokens WHERE token = ?", [token])
      guard let row, (row[1] as Int64?).map({ now() < $0 }) ?? true else { return nil }
      return Set((row[0] as String).split(separator: " ").compactMap { AccessGrant.Scope(rawValue: String($0)) })
    }
  }
}

extension Fault {
  static let grantFaults = [
    Fault(
      "token-never-expires", .state, on: .oauthToken, "access tokens are still accepted after expires_in",
      .before(\.monica.grant) { $0.lifetime = nil }),
    Fault(
      "scope-ignored", .state, on: .oauthToken, "an access token with the scope read may also write",
      .before(\.monica.grant) { $0.scopes = AccessGrant.login.scopes }),
  ]
}
