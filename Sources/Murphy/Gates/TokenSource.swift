import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema
import MurphyServer

/// The source of a token that murphy requests before its other requests, and again when it has expired: `--login` or
/// `--token-command`.
package struct TokenSource: Sendable {
  package enum Kind: Sendable {
    case login(TokenLogin)
    /// A command of the shell. Its standard output is the token.
    case command(String)
  }

  package var kind: Kind
  /// The header that carries the token; nil for `Authorization: Bearer`.
  package var header: String?
  /// The options as the user wrote them, for the command that repeats a run.
  package var given: [(name: String, value: String)]

  package init(_ kind: Kind, given: [(name: String, value: String)] = []) {
    self.kind = kind
    self.given = given
  }

  /// Values that no output may contain.
  package var secrets: [String] { if case .login(let login) = kind { login.secrets } else { [] } }

  /// The header of every request, which is renewed.
  ///
  /// - Parameters:
  ///   - url: of the target.
  ///   - options: their headers are sent with the login, too.
  /// - Throws: a `GateError` for a login that the target rejects, and for a command that fails.
  package func credential(at url: String, _ options: RunOptions) async throws(GateError) -> SharedCredential {
    SharedCredential(try await issue(at: url, options)) { try? await issue(at: url, options) }
  }

  private func issue(at url: String, _ options: RunOptions) async throws(GateError) -> SharedCredential.Issue {
    switch kind {
    case .login(let login):
      switch try await login.found(at: url, options) {
      case .token(let token, let life):
        return SharedCredential.Issue(field(token), life: life ?? TokenLife.claimed(by: token))
      case .cookies(let cookies, let life): return SharedCredential.Issue(HeaderField("Cookie", cookies), life: life)
      }
    case .command(let command):
      let output = await withCheckedContinuation { continuation in
        // It waits for the command, so it needs a thread.
        DispatchQueue.global().async { continuation.resume(returning: Self.output(of: command)) }
      }
      let token = try output.get()
      return SharedCredential.Issue(field(token), life: TokenLife.claimed(by: token))
    }
  }

  /// A token with its scheme is sent as it is.
  private func field(_ token: String) -> HeaderField {
    if let header { return HeaderField(header, token) }
    return HeaderField("Authorization", token.contains(" ") ? token : "Bearer " + token)
  }

  private static func output(of command: String) -> Result<String, GateError> {
    Result { () throws(GateError) in try result(of: command) }
  }

  private static func result(of command: String) throws(GateError) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    do {
      try process.run()
    } catch {
      throw .usage("cannot start the command of --token-command: \(error.localizedDescription)")
    }
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw .usage("--token-command: the command exited with status \(process.terminationStatus).")
    }
    let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty, HeaderField.isValue(token) else {
      throw .usage("--token-command: the standard output of the command must be one line with a token.")
    }
    return token
  }
}

extension HeaderField {
  /// True if a header can hold the text: visible characters and spaces.
  fileprivate static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

/// A request that returns a token: `POST /login {"user": "ada", "password": "secret"}`.
package struct TokenLogin: Sendable {
  private let method: String
  /// A path of the target, or a URL.
  private let url: String
  private let body: String
  /// The place of the token in the response; nil to search.
  private let place: Place?

  /// The place of a token in a response.
  private enum Place: Sendable {
    case body(JSONPath)
    /// The name of a header. `Set-Cookie` stands for all cookies.
    case header(String)
  }

  enum Found: Sendable {
    /// With the time for which it is valid; nil if the response does not say so.
    case token(String, Duration?)
    /// The value of the header `Cookie`, with the same.
    case cookies(String, Duration?)
  }

  /// - Parameters:
  ///   - text: method, path or URL, and body.
  ///   - place: a JSONPath such as `$.data.token`, or the name of a header; nil to search.
  package init(_ text: String, place: String?) throws(GateError) {
    let parts = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .split(maxSplits: 2, omittingEmptySubsequences: true) { $0.isWhitespace }
    guard parts.count >= 2, parts[0].allSatisfy({ $0.isASCII && $0.isUppercase }),
      ["/", "http://", "https://"].contains(where: { parts[1].hasPrefix($0) })
    else {
      throw .usage(
        "--login takes a method, a path and a body, such as "
          + "'POST /login {\"user\": \"ada\", \"password\": \"secret\"}'.")
    }
    (method, url) = (String(parts[0]), String(parts[1]))
    body = parts.count > 2 ? String(parts[2]) : ""
    self.place = try place.map { place throws(GateError) in
      guard place.hasPrefix("$") else {
        guard HeaderName.isValid(place) else {
          throw .usage("--login-token takes a JSONPath such as $.data.token, or the name of a header.")
        }
        return .header(place)
      }
      do throws(JSONPathError) {
        return .body(try JSONPath(place))
      } catch {
        throw .usage("--login-token: \(error).")
      }
    }
  }

  private var json: JSONValue? { try? JSONValue.parse(Array(body.utf8)) }

  var secrets: [String] {
    if let json { return json.secrets }
    return body.split(separator: "&").compactMap { field in
      let parts = field.split(separator: "=", maxSplits: 1).map { PercentEncoding.decode(String($0)) }
      return parts.count == 2 && SecretName.isSecret(parts[0], parts[1]) ? parts[1] : nil
    }
  }

  func found(at target: String, _ options: RunOptions) async throws(GateError) -> Found {
    let failure = "the login \(method) \(URLCredentials.masked(url)) failed"
    var request =
      url.hasPrefix("/")
      ? TargetRequest(base: target, path: url, failure: failure) : TargetRequest(url: url, failure: failure)
    request.method = method
    request.headers = [HeaderField("Accept", "application/json, */*;q=0.5")] + options.headers
    if !body.isEmpty {
      let type = json == nil ? "application/x-www-form-urlencoded" : "application/json"
      if !request.headers.contains(where: { $0.name.isSameHeader(as: "Content-Type") }) {
        request.headers.append(HeaderField("Content-Type", type))
      }
      request.body = Array(body.utf8)
    }
    (request.authorities, request.certificate) = (options.authorities, options.certificate)
    let response = try await request.response()
    guard (200..<400).contains(response.status) else {
      let rejection = CredentialRejection(response.headers, response.bytes)
      throw .unreachable("\(failure): status \(response.status)\(rejection.quote). No other request was sent.")
    }
    if let found = found(in: response) { return found }
    throw .unreachable(
      "\(failure): the response with status \(response.status) contains no known token. Name the field or header of "
        + "the token with --login-token, such as --login-token '$.data.token'.")
  }

  private func found(in response: TargetRequest.Response) -> Found? {
    let json = try? JSONValue.parse(response.bytes)
    func token(_ text: String) -> Found? { Self.token(text, json.flatMap(TokenLife.stated)) }
    switch place {
    case .body(let path): return json.flatMap { path.values(in: $0).first?.string }.flatMap(token)
    case .header(let name) where name.isSameHeader(as: "Set-Cookie"): return cookies(of: response)
    case .header(let name):
      return response.headers.first { $0.name.isSameHeader(as: name) }.flatMap { token($0.value) }
    case nil:
      let text = json?.token ?? response.headers.first { $0.name.isSameHeader(as: "Authorization") }?.value
      return text.flatMap(token) ?? cookies(of: response)
    }
  }

  private static func token(_ text: String, _ life: Duration?) -> Found? {
    !text.isEmpty && HeaderField.isValue(text) ? .token(text, life) : nil
  }

  private func cookies(of response: TargetRequest.Response) -> Found? {
    let fields = response.headers.filter { $0.name.isSameHeader(as: "Set-Cookie") }
    let pairs = fields.map { field in
      field.value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    }
    return pairs.isEmpty ? nil : .cookies(pairs.joined(separator: "; "), TokenLife.kept(fields))
  }
}

extension JSONValue {
  /// The first token by the name of its field. A field of an outer object precedes those of inner objects. A response
  /// that is only a string is the token.
  fileprivate var token: String? {
    if let text = string { return text }
    var level = [self]
    while !level.isEmpty {
      for name in Contract.tokenFields {
        if let text = level.lazy.compactMap({ $0[name]?.string }).first(where: { !$0.isEmpty }) { return text }
      }
      level = level.flatMap { $0.object?.members.map(\.value) ?? [] }
    }
    return nil
  }

  /// The strings of fields whose names mark them as secret.
  fileprivate var secrets: [String] {
    switch self {
    case .object(let object):
      object.members.flatMap { member in
        member.value.string.map { SecretName.isSecret(member.key, $0) ? [$0] : [] } ?? member.value.secrets
      }
    case .array(let items): items.flatMap(\.secrets)
    default: []
    }
  }
}

extension Gate {
  /// The scenario with the token of `--login` or `--token-command` in a header of every request.
  ///
  /// - Parameter url: the running target.
  func authorised(
    _ scenario: Scenario, at url: String, _ options: RunOptions
  ) async throws(GateError) -> Scenario {
    guard let tokens = options.tokens else { return scenario }
    var options = options
    if options.authorities == nil { options.authorities = scenario.settings.certificateAuthorities }
    if options.certificate == nil { options.certificate = scenario.settings.certificate }
    var authorised = scenario
    for secret in tokens.secrets { authorised.secrets.insert(Secret(secret)) }
    authorised.add(try await tokens.credential(at: url, options))
    return authorised
  }

  /// The gate with the token of a target that is already running, for probes that send requests without a load.
  package func authorised(_ options: RunOptions) async throws(GateError) -> Gate {
    guard options.tokens != nil else { return self }
    var gate = self
    let url = try TokenSource.url(of: try effectiveTarget(options.target))
    gate.scenario = try await authorised(scenario, at: url, options)
    return gate
  }
}

extension TokenSource {
  /// - Throws: `GateError.usage` for a target that is not running yet.
  static func url(of target: Target) throws(GateError) -> String {
    guard case .url(let url) = target else {
      throw .usage(
        "--login and --token-command require a running target. Start the target with murphy serve, and use its URL.")
    }
    return url
  }
}
