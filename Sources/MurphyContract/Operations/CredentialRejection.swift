import MurphyModel
import MurphySchema

/// The reason why a response with status 401 or 403 rejects a request, as far as its headers and its body state it
/// (RFC 6750 §3.1, RFC 9110 §11.6.1).
package struct CredentialRejection: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The request has no credentials.
    case missing
    /// The credentials are wrong, or they have expired.
    case invalid
    /// The credentials are right, but they do not permit the request.
    case insufficient
    /// The server's configuration does not permit the request.
    case disabled
  }

  /// Nil if the response does not decide.
  package private(set) var reason: Reason?
  /// The words of the response about the rejection; nil without any.
  package private(set) var words: String?
  /// The scheme that the response names, such as `Bearer`; nil without `WWW-Authenticate`.
  package private(set) var scheme: String?

  /// - Parameters:
  ///   - headers: of the response.
  ///   - body: its first bytes are enough.
  ///   - isSent: true if the request had credentials; nil if that is unknown.
  package init(_ headers: [HeaderField], _ body: some Sequence<UInt8>, isSent: Bool? = nil) {
    let challenge = headers.first { $0.name.isSameHeader(as: "WWW-Authenticate") }?.value
    scheme = challenge?.split(separator: " ").first.map { String($0) }
    if let challenge, let error = Self.parameter("error", of: challenge) {
      reason = error == "invalid_token" ? .invalid : error == "insufficient_scope" ? .insufficient : nil
      words = Self.parameter("error_description", of: challenge) ?? error
    }
    let texts = Self.texts(Array(body.prefix(Self.longest)))
    words = words ?? texts.first { Self.reasons(in: $0).count == 1 } ?? texts.first { $0.contains(" ") } ?? texts.first
    guard reason == nil else { return }
    var found = Set(texts.flatMap(Self.reasons))
    // "Invalid or missing token": the request decides.
    if let isSent, found == [.missing, .invalid] { found = [isSent ? .invalid : .missing] }
    // "Sign-ups are turned off by your administrator": no credentials help.
    if found.contains(.disabled) { found = [.disabled] }
    reason = found.count == 1 ? found.first : nil
    // RFC 6750 §3.1: a challenge without an error code answers a request without credentials.
    if reason == nil, isSent == false { reason = .missing }
  }

  private static let longest = 4_000
  private static let longestText = 300

  /// ` ("Bad credentials")`, or nothing.
  package var quote: String {
    guard let words else { return "" }
    return " (\"\(words.split(whereSeparator: \.isWhitespace).joined(separator: " ").shortened(to: 120))\")"
  }

  /// The value of a parameter such as `error="invalid_token"`.
  private static func parameter(_ name: String, of challenge: String) -> String? {
    guard let start = challenge.firstRange(of: name + "=\"")?.upperBound else { return nil }
    return String(challenge[start...].prefix { $0 != "\"" })
  }

  /// The strings of a body, in the order of its fields.
  private static func texts(_ body: [UInt8]) -> [String] {
    if let json = try? JSONValue.parse(body) {
      return json.strings.filter { !$0.isEmpty && $0.utf8.count <= longestText }
    }
    let text = String(decoding: body, as: UTF8.self)
    // The words of a page are for people in front of a browser.
    return text.isEmpty || text.utf8.count > longestText || text.contains("<") ? [] : [text]
  }

  private static func reasons(in text: String) -> Set<Reason> {
    // A code such as `FEATURE_NOT_ENABLED` has the same words.
    let text = String(text.lowercased().map { $0 == "_" ? " " : $0 })
    let found = Set(Reason.allCases.filter { reason in phrases[reason, default: []].contains(where: text.contains) })
    // The user is disabled, and not the operation.
    return found.contains(.disabled) && accounts.contains(where: text.contains) ? [.insufficient] : found
  }

  private static let accounts = ["account", "user is", "user has been"]

  private static let phrases: [Reason: [String]] = [
    .missing: [
      "missing", "not provided", "no token", "no authorization", "no credentials", "no api key", "unauthenticated",
      "not authenticated", "not logged in", "not signed in", "log in", "login required", "sign in",
      "signed in", "authentication required", "authentication is required", "requires authentication",
      "token required", "token is required", "key is required", "must provide", "must be authenticated",
      "authenticate to",
    ],
    .invalid: [
      "invalid", "expired", "bad credentials", "bad token", "wrong", "incorrect", "revoked", "malformed", "signature",
      "not valid", "could not validate", "unknown token", "unknown key", "token rejected",
    ],
    .insufficient: [
      "permission", "insufficient", "scope", "privilege", "access denied", "access is denied",
      "not allowed", "not permitted", "not authorized to", "not authorised to", "admin", "role",
    ],
    .disabled: ["disabled", "not enabled", "turned off", "switched off", "deactivated"],
  ]
}

extension Contract {
  /// What a rejected operation needs by its document, and what its response says.
  ///
  /// - Parameters:
  ///   - operation: an index.
  ///   - isSent: true if the request had credentials.
  ///   - environment: variables that hold credentials.
  /// - Returns: sentences; words of the response are not masked.
  package func advice(
    _ rejection: CredentialRejection, operation: Int, isSent: Bool, environment: [String: String] = [:]
  ) -> String {
    // The credentials of a login are in its body.
    let isLogin = rejection.reason == .invalid && operations[operation].isOpen
    if rejection.reason == .disabled {
      let name = "\(operations[operation].method) \(operations[operation].path)"
      return "\(explanation(rejection, isSent: isSent)) Enable \(name) there, or do not call it: no credentials help."
    }
    let known = credentials(operation: operation, environment: environment)
    let variables = known.missing.isEmpty ? known.used.joined(separator: " and ") : ""
    let need =
      variables.isEmpty
      ? need(of: operation, rejection.scheme)
      : isSent
        ? "Murphy sent the credentials in \(variables). Check whether they permit the request."
        : "Murphy has credentials in \(variables), and did not send them with this request."
    return "\(explanation(rejection, isSent: isSent || isLogin)) \(need)"
  }

  /// True if a request has a header or a parameter with credentials.
  package func carriesCredentials(_ headers: [HeaderField], target: String, operation: Int) -> Bool {
    let mask = SecretMask(headers: secretHeaders)
    if headers.contains(where: { mask.isSecret(headerNamed: $0.name) }) { return true }
    return operations[operation].security.flatMap(\.schemes).contains { name in
      guard case .apiKey(let key, .query)? = securitySchemes[name]?.kind else { return false }
      return ["?", "&"].contains { target.contains("\($0)\(key)=") }
    }
  }

  private func explanation(_ rejection: CredentialRejection, isSent: Bool) -> String {
    let quote = rejection.quote
    switch rejection.reason {
    case .missing where !isSent, .invalid where !isSent: return "The request had no credentials\(quote)."
    case .missing: return "The request had credentials, but the response says that they are missing\(quote)."
    case .invalid: return "The response says that the credentials are wrong or expired\(quote)."
    case .insufficient:
      return "The response says that the credentials do not permit this request\(quote)."
        + (isSent ? "" : " The request had no credentials.")
    case .disabled: return "The response says that the server's configuration does not permit it\(quote)."
    case nil:
      return "The response does not say whether the credentials are wrong, are expired, or do not permit this request"
        + "\(quote)."
    }
  }

  /// `GET /users needs the scheme bearerAuth (HTTP bearer): pass --header 'Authorization=Bearer ...'`
  private func need(of index: Int, _ challenge: String?) -> String {
    let operation = operations[index]
    let name = "\(operation.method) \(operation.path)"
    let needed = (operation.security.first { !$0.schemes.isEmpty }?.schemes ?? []).compactMap { securitySchemes[$0] }
    guard !needed.isEmpty else {
      let header = challenge.map { "--header 'Authorization=\($0) ...'" } ?? "--header NAME=VALUE"
      return "The document names no security scheme for \(name). If the operation needs credentials, pass \(header), "
        + "--login or "
        + "--token-command."
    }
    let schemes = needed.map { "`\($0.name)` (\($0.kind.title))" }.joined(separator: " and ")
    let ways = needed.map { scheme in
      let variable = scheme.kind == .mutualTLS ? "" : ", or set \(scheme.environmentVariable)"
      return "pass \(scheme.kind.option)\(variable)"
    }
    return "\(name) needs the scheme\(needed.count == 1 ? "" : "s") \(schemes): \(ways.joined(separator: "; "))."
  }
}

extension SecurityScheme.Mechanism {
  /// `HTTP bearer`
  fileprivate var title: String {
    switch self {
    case .http(let scheme): "HTTP \(scheme)"
    case .apiKey(let name, let place): "API key in the \(place.rawValue) \(name)"
    case .token: "OAuth 2 or OpenID Connect"
    case .mutualTLS: "a client certificate"
    }
  }

  /// The option that sends it.
  fileprivate var option: String {
    switch self {
    case .http(scheme: "basic"): "--header 'Authorization=Basic ...'"
    case .http(scheme: "bearer"), .token: "--header 'Authorization=Bearer ...', --login or --token-command"
    case .http(let scheme): "--header 'Authorization=\(scheme) ...'"
    case .apiKey(let name, .header): "--header '\(name)=...'"
    case .apiKey(let name, .cookie): "--header 'Cookie=\(name)=...'"
    case .apiKey(let name, .query): "the parameter \(name) in the query of each call"
    case .mutualTLS: "--cert FILE"
    }
  }
}

extension JSONValue {
  /// The strings at any depth, in the order of the fields.
  fileprivate var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .object(let object): object.members.flatMap(\.value.strings)
    case .array(let items): items.flatMap(\.strings)
    default: []
    }
  }
}
