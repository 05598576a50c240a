import MurphyJudge
import MurphyModel
import Testing

/// Scripts of limit findings where credentials are what the limit counts by.
@Suite struct LimitScriptSecretTests {
  private static let token = "abcdefgh"

  /// The script of nine admissions where three are promised, all with one `Authorization`; a login gave `token`.
  private static func script(authorization: String) throws -> String {
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = ["listItems"]
    log.requests = [
      CurlRequest(method: "POST", url: ShellWord("/login")), CurlRequest(method: "GET", url: ShellWord("/items")),
    ]
    func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
    var issue = IssuedValue(
      value: token, issuer: "login", request: "login", sent: instant(1), answered: instant(1.01))
    issue.login = 0
    issue.place = .body(filter: ".token")
    log.issues = [issue]
    log.identities = [
      ClientIdentity(sourceAddress: "", headers: [HeaderField("authorization", authorization)])
    ]
    for index in 0..<9 {
      let sent = 2 + Double(index) * 0.01
      log.observations.append(
        LimitObservation(
          operation: 0, identity: 0, sent: instant(sent), answered: instant(sent + 0.005), status: 200, request: 1))
    }
    let policy = LimitPolicy(
      name: "items", operations: ["listItems"], algorithm: .fixed, allowance: 3, window: .seconds(60), key: .token)
    let finding = try #require(
      LimitJudge.judge(log: log, policies: [policy]).findings.first { $0.kind == .limitOverAdmission })
    return try #require(finding.evidence?.curl?.text)
  }

  @Test(arguments: ["", "Bearer ", "Token "])
  func `a token that the target issued is asked for anew`(_ scheme: String) throws {
    let script = try Self.script(authorization: scheme + Self.token)
    #expect(script.contains("/login") && script.contains(".token"), "\(script)")
    #expect(!script.contains(Self.token), "\(script)")
    #expect(script.contains("authorization: \(scheme)'\"$SAVED_AUTHORIZATION\""), "\(script)")
  }

  @Test(arguments: [
    "\(token).SECRETREST", "Bearer \(token).SECRETREST", "Bearer SECRETREST\(token)",
    "Digest username=\"SECRETREST\", nonce=\"\(token)\"", "SECRETREST \(token)SECRETREST",
  ])
  func `a credential that only contains what the target issued is not printed`(_ authorization: String) throws {
    let script = try Self.script(authorization: authorization)
    #expect(!script.contains(Self.token), "\(script)")
    // What stands before the first space is the scheme, which is not a secret.
    let scheme = authorization.contains(" ") ? String(authorization.prefix { $0 != " " }) : ""
    #expect(!script.replacing(scheme + " ", with: "").contains("SECRETREST"), "\(script)")
    #expect(script.contains("SECRET_AUTHORIZATION"), "\(script)")
  }
}
