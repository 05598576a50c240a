import MurphyContract
import MurphyModel
import MurphySchema

/// Credentials of the callers, by operation.
package struct ExploreCallers: Sendable {
  private let document: Contract
  private var environment: [String: String]
  private var otherEnvironment: [String: String]
  private var own: [Credentials] = []
  private var others: [Credentials] = []
  /// Invalid credentials of the operations' schemes, for operations without credentials of the user.
  private let madeUp: [Credentials]
  private(set) var hasOther = false

  /// Headers of every request of every caller. A header that is a credential of the document is sent only by the
  /// user itself.
  let headers: [HeaderField]
  private let credentialNames: Set<String>

  /// The suffix of the variables of a second user's credentials.
  package static let otherSuffix = "_OTHER"

  /// - Parameters:
  ///   - environment: variables that hold credentials.
  ///   - headers: of every request.
  init(_ document: Contract, environment: [String: String], headers: [HeaderField]) {
    self.document = document
    self.headers = headers
    credentialNames = Set((document.secretHeaders + ["Authorization", "Cookie"]).map { $0.lowercased() })
    self.environment = environment
    otherEnvironment = environment
    let madeUp = Dictionary(
      document.securitySchemes.values.map {
        ($0.environmentVariable, $0.kind == .http(scheme: "basic") ? SecretMask.madeUp.login : SecretMask.madeUp.token)
      }, uniquingKeysWith: { first, _ in first })
    self.madeUp = document.operations.indices.map { document.credentials(operation: $0, environment: madeUp) }
    for variable in document.credentialVariables {
      guard let value = environment[variable + Self.otherSuffix], !value.isEmpty else { continue }
      otherEnvironment[variable] = value
      hasOther = true
    }
    refresh()
  }

  /// Stores a token from the API, if the environment has none.
  mutating func addToken(_ token: String, other: String?) {
    for variable in document.credentialVariables {
      if environment[variable, default: ""].isEmpty {
        environment[variable] = token
        otherEnvironment[variable] = token
      }
      if let other, !hasOther { otherEnvironment[variable] = other }
    }
    hasOther = hasOther || other != nil
    refresh()
  }

  private mutating func refresh() {
    own = document.operations.indices.map { document.credentials(operation: $0, environment: environment) }
    others = document.operations.indices.map { document.credentials(operation: $0, environment: otherEnvironment) }
  }

  func areSent(with call: ExploreCall) -> Bool {
    call.caller == .own
      && (own[call.operation].isGiven || headers.contains { credentialNames.contains($0.name.lowercased()) })
  }

  /// The headers with the user's own credentials for an operation.
  func ownHeaders(of operation: Int) -> [HeaderField] { own[operation].headers }

  func isOpen(_ operation: Int) -> Bool { document.operations[operation].isOpen }

  /// The credentials that the caller adds to a call, and the headers of every request.
  func credentials(of call: ExploreCall) -> Credentials {
    var all = callerCredentials(of: call)
    for header in headers where !all.headers.contains(where: { $0.name.isSameHeader(as: header.name) }) {
      guard call.caller == .own || !credentialNames.contains(header.name.lowercased()) else { continue }
      all.headers.append(header)
    }
    return all
  }

  private func callerCredentials(of call: ExploreCall) -> Credentials {
    let own = own[call.operation]
    switch call.caller {
    case .own: return own
    case .none: return Credentials()
    case .other: return others[call.operation]
    case .wrong: return own.isGiven ? own.replaced(\.withMadeUpCredential) : madeUp[call.operation]
    case .wrongScheme:
      let known = own.isGiven ? own : madeUp[call.operation]
      return known.replaced { "Basic " + ($0.split(separator: " ").last.map(String.init) ?? $0) }
    }
  }
}

extension Credentials {
  fileprivate func replaced(_ new: (String) -> String) -> Credentials {
    var copy = self
    copy.headers = headers.map { HeaderField($0.name, new($0.value)) }
    for index in query.indices { copy.query[index].value = new(query[index].value) }
    for index in cookies.indices { copy.cookies[index].value = new(cookies[index].value) }
    return copy
  }
}

extension String {
  /// The header keeps its scheme and gets other credentials.
  fileprivate var withMadeUpCredential: String {
    let parts = split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return SecretMask.madeUp.token }
    return parts[0].lowercased() == "basic"
      ? "Basic \(SecretMask.madeUp.basic)" : "\(parts[0]) \(SecretMask.madeUp.token)"
  }
}

/// Detects that the exploring user's credentials stopped working. From some response on, all requests with them to
/// operations that had succeeded get 401 or 403.
///
/// A 403 response may also forbid only this item, or come from a limiter or a firewall. So it counts only without a
/// limiter's header, and only while no operation without credentials gets 403. More 403 responses of more operations
/// are required than 401 responses.
struct ExploreCredentials {
  /// The rejections that are required before credentials count as lost.
  private struct Bar {
    var responses: Int
    var operations: Int

    static let unauthorized = Self(responses: 20, operations: 2)
    static let forbidden = Self(responses: 40, operations: 3)
  }

  private var works: Set<Int> = []
  private var rejected: Set<Int> = []
  private var rejections = 0
  private var forbidden = 0
  private var begin = Duration.zero

  /// Nil while they work.
  private(set) var lost: LostCredentials?
  /// By operation: what the first 401 or 403 of the user's own requests says, and whether that had credentials.
  private(set) var first: [Int: (says: CredentialRejection, isSent: Bool)] = [:]

  /// - Parameters:
  ///   - isOwn: true if the request had the user's own credentials.
  ///   - isOpen: true if its operation needs none.
  mutating func saw(_ performed: CaseRunner.Performed, isOwn: Bool, isOpen: Bool) {
    guard lost == nil else { return }
    if performed.call.caller == .own, [401, 403].contains(performed.status), first[performed.call.operation] == nil,
      let response = try? performed.ending.get()
    {
      first[performed.call.operation] = (
        CredentialRejection(response.headers, response.body, isSent: isOwn), isOwn
      )
    }
    if isOpen, performed.status == 403 { forget() }
    guard isOwn else { return }
    let operation = performed.call.operation
    switch performed.status {
    case 401: reject(operation, at: performed.sent, isForbidden: false)
    case 403:
      let headers = (try? performed.ending.get())?.headers ?? []
      guard !headers.contains(where: { FieldNames.concernsLimits($0.name) }) else { return }
      reject(operation, at: performed.sent, isForbidden: true)
    // Bad requests may be rejected before the server checks credentials.
    case 200..<300:
      works.insert(operation)
      forget()
    default: break
    }
  }

  private mutating func forget() { (rejections, forbidden, rejected) = (0, 0, []) }

  private mutating func reject(_ operation: Int, at sent: Duration, isForbidden: Bool) {
    guard works.contains(operation) else { return }
    if rejections == 0 { begin = sent }
    rejections += 1
    if isForbidden { forbidden += 1 }
    rejected.insert(operation)
    let bar = forbidden > 0 ? Bar.forbidden : .unauthorized
    guard rejections >= bar.responses, rejected.count >= bar.operations else { return }
    lost = LostCredentials(
      at: .milliseconds(begin.nanoseconds / 1_000_000), rejections: rejections,
      forbidden: forbidden > 0 ? forbidden : nil)
  }
}

extension JSONValue {
  /// The strings of fields with these names, and other secrets in a response of the operation at a path, at any depth.
  func secrets(_ names: Set<String>, by path: String, identifiers: Set<String>) -> [String] {
    switch self {
    case .object(let object):
      object.members.flatMap { member -> [String] in
        if object.isPairName(member.key) { return [] }
        let texts = member.value.string.map { [$0] } ?? member.value.array?.prefix(100).compactMap(\.string) ?? []
        return member.value.secrets(names, by: path, identifiers: identifiers)
          + texts.filter {
            // Shorter values occur in the result by chance.
            $0.utf8.count >= 8
              && (names.contains(member.key)
                || SecretName.isIssued(member.key, $0, by: path, identifiers: identifiers))
          }
      }
    case .array(let items): items.prefix(100).flatMap { $0.secrets(names, by: path, identifiers: identifiers) }
    default: []
    }
  }
}
