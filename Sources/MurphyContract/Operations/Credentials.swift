import Foundation
import MurphyModel

/// The authentication data of a request.
package struct Credentials: Sendable, Hashable {
  /// One for each scheme that sends its secret in a header.
  package var headers: [HeaderField] = []
  /// Parameters of the query, not yet encoded.
  package var query: [Pair] = []
  /// One for each scheme that sends its secret in a cookie.
  package var cookies: [Pair] = []
  /// Values that must not appear in any output.
  package var secrets: [String] = []
  /// Required environment variables that are not set.
  package var missing: [String] = []
  /// Environment variables whose values a request carries.
  package var used: [String] = []

  /// A name and its value.
  package struct Pair: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  package init() {}

  /// True if a request carries any.
  package var isGiven: Bool { !headers.isEmpty || !query.isEmpty || !cookies.isEmpty }
}

extension Contract {
  /// The credentials of the operation's first alternative for which the environment has all values. If there is none,
  /// `missing` names the variables that the first alternative lacks.
  ///
  /// - Parameters:
  ///   - environment: the process's environment variables.
  ///   - variables: other variable names than `MURPHY_AUTH_<SCHEME>`, by scheme.
  package func credentials(
    operation: Int, environment: [String: String], variables: [String: String] = [:]
  ) -> Credentials {
    let alternatives = operations[operation].security.map { credentials($0, environment, variables) }
    return alternatives.first(where: \.missing.isEmpty) ?? alternatives.first ?? Credentials()
  }

  /// The variables that the operation needs and that are not set, without those of schemes whose header is given.
  package func missingCredentials(
    operation: Int, environment: [String: String], headers: [HeaderField]
  ) -> [String] {
    credentials(operation: operation, environment: environment).missing.filter { variable in
      !securitySchemes.values.contains { scheme in
        guard scheme.environmentVariable == variable, let name = scheme.kind.header else { return false }
        return headers.contains { $0.name.isSameHeader(as: name) }
      }
    }
  }

  /// False if the user gives credentials, and none of them is a cookie. Such a client is not a browser: if it sent cookies
  /// back, a server could require more of it, such as a CSRF token.
  package func keepsCookies(environment: [String: String], headers: [HeaderField]) -> Bool {
    let given = operations.indices.map { credentials(operation: $0, environment: environment) }
    let mask = SecretMask(headers: secretHeaders)
    let sent = headers.filter { mask.isSecret(headerNamed: $0.name) } + given.flatMap(\.headers)
    if sent.contains(where: { $0.name.isSameHeader(as: "Cookie") }) || given.contains(where: { !$0.cookies.isEmpty }) {
      return true
    }
    return sent.isEmpty && given.allSatisfy(\.query.isEmpty)
  }

  /// Environment variables of credentials, for the schemes that operations name.
  package var credentialVariables: [String] {
    let schemes = Set(operations.flatMap(\.security).flatMap(\.schemes)).compactMap { securitySchemes[$0] }
    return Set(schemes.filter { $0.kind != .mutualTLS }.map(\.environmentVariable)).sorted()
  }

  /// Credentials in the environment that no request carries, because no operation's `security` names their scheme.
  ///
  /// - Parameter sent: variables that the called operations send; nil for all that an operation names.
  /// - Returns: a sentence for each scheme, sorted; empty if each variable is used.
  package func unusedCredentials(_ environment: [String: String], sent: Set<String>? = nil) -> [String] {
    let used = Set(credentialVariables)
    return securitySchemes.values.compactMap { scheme in
      let variable = scheme.environmentVariable
      guard scheme.kind != .mutualTLS, environment[variable]?.isEmpty == false else { return nil }
      if !used.contains(variable) {
        return "\(variable) is set but not sent: no operation names the scheme \(scheme.name) under `security`. "
          + "Add it in the document or in an overlay"
      }
      guard let sent, !sent.contains(variable) else { return nil }
      return "\(variable) is set but not sent: no called operation uses the scheme \(scheme.name)"
    }.sorted()
  }

  /// The first scheme named by operations that has a client-credentials flow, so that a scenario can request its
  /// tokens.
  package var tokenScheme: SecurityScheme? {
    operations.lazy.flatMap(\.security).flatMap(\.schemes).compactMap { securitySchemes[$0] }
      .first { $0.clientCredentials != nil }
  }

  /// True if the credentials for `security` set the parameter already.
  package func isCredential(_ parameter: Parameter, of operation: Operation) -> Bool {
    let name = parameter.name.lowercased()
    if parameter.location == .header, name == "authorization" { return !operation.security.isEmpty }
    return operation.security.flatMap(\.schemes).contains { scheme in
      guard case .apiKey(let key, let place)? = securitySchemes[scheme]?.kind else { return false }
      return key.lowercased() == name && place.rawValue == parameter.location.rawValue
    }
  }

  /// Names of headers that carry an API key by this document. Their values are secret.
  package var secretHeaders: [String] {
    securitySchemes.values.compactMap { scheme in
      if case .apiKey(let name, .header) = scheme.kind { name } else { nil }
    }.sorted()
  }

  private func credentials(
    _ requirement: SecurityRequirement, _ environment: [String: String], _ variables: [String: String]
  ) -> Credentials {
    var credentials = Credentials()
    for name in requirement.schemes {
      guard let scheme = securitySchemes[name], scheme.kind != .mutualTLS else { continue }
      let variable = variables[name] ?? scheme.environmentVariable
      guard let value = environment[variable], !value.isEmpty else {
        credentials.missing.append(variable)
        continue
      }
      credentials.add(value, for: scheme.kind)
      credentials.used.append(variable)
    }
    return credentials
  }
}

extension Credentials {
  fileprivate mutating func add(_ value: String, for kind: SecurityScheme.Mechanism) {
    secrets.append(value)
    switch kind {
    case .http(scheme: "basic"):
      let encoded = Data(value.utf8).base64EncodedString()
      secrets.append(encoded)
      if let password = value.split(separator: ":", maxSplits: 1).last { secrets.append(String(password)) }
      headers.append(HeaderField("Authorization", "Basic \(encoded)"))
    case .http(scheme: let scheme):
      headers.append(HeaderField("Authorization", "\(scheme == "bearer" ? "Bearer" : scheme) \(value)"))
    case .token: headers.append(HeaderField("Authorization", "Bearer \(value)"))
    case .apiKey(let name, .header):
      // The secret is the part after the scheme.
      if name == SecurityScheme.header.name, let token = value.split(separator: " ").last {
        secrets.append(String(token))
      }
      headers.append(HeaderField(name, value))
    case .apiKey(let name, .query): query.append(Pair(name: name, value: value))
    case .apiKey(let name, .cookie): cookies.append(Pair(name: name, value: value))
    case .mutualTLS: break
    }
  }
}

/// An authentication method of the API.
package struct SecurityScheme: Sendable, Hashable {
  /// The ways to authenticate that murphy supports, and the others.
  package enum Mechanism: Sendable, Hashable {
    /// `Authorization: <scheme> <value>`; for `basic` the value is `user:password`.
    case http(scheme: String)
    case apiKey(name: String, place: KeyPlace)
    /// OAuth 2 or OpenID Connect: an existing token, sent as `Bearer`.
    case token
    /// Requests carry no data for it.
    case mutualTLS
  }

  /// The part of the request that holds an API key.
  package enum KeyPlace: String, Sendable, Hashable { case header, query, cookie }

  /// Its name in the document.
  package let name: String
  package let kind: Mechanism
  /// The token endpoint and scopes of OAuth 2's client-credentials flow; nil without that flow.
  package let clientCredentials: ClientCredentials?

  /// A client-credentials flow (OpenAPI 3.1 §4.8.29).
  package struct ClientCredentials: Sendable, Hashable {
    package var tokenURL: String
    /// In the document's order.
    package var scopes: [String]
  }

  /// A header `Authorization` that operations declare as a parameter. The value is the whole header: `Bearer abc`.
  static let header = SecurityScheme(
    name: "Authorization", kind: .apiKey(name: "Authorization", place: .header), clientCredentials: nil)

  /// The environment variable of the value: `MURPHY_AUTH_` and the name in capitals, with an underscore for every
  /// character that is not a letter or digit. `api-key` is read from `MURPHY_AUTH_API_KEY`.
  package var environmentVariable: String {
    let name = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return "MURPHY_AUTH_" + String(name)
  }
}

extension Contract.Operation {
  /// True if it needs no credentials.
  package var isOpen: Bool { security.isEmpty || security.contains { $0.schemes.isEmpty } }
}

extension SecurityScheme.Mechanism {
  /// The header that carries it; nil for a parameter of the query and for a client certificate.
  fileprivate var header: String? {
    switch self {
    case .http, .token: "Authorization"
    case .apiKey(let name, .header): name
    case .apiKey(_, .cookie): "Cookie"
    case .apiKey(_, .query), .mutualTLS: nil
    }
  }
}
