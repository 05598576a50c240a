import Foundation
import Murphy
import TestSupport
import Testing

/// Exit status, last word and every report say the same, whatever happens to a run.
@Suite(.serialized, .requires(.openssl)) struct OutcomeTableTests {
  /// Prints the table: name, exit status, last word.
  @Test func `exit status, last word and every report say the same`() async throws {
    for outcome in OutcomeCase.runs + OutcomeCase.ends + OutcomeCase.unreached + OutcomeCase.mistakes {
      try await outcome.perform { file, said in try Self.hold(outcome, said, reports: OutcomeCase.reports(of: file)) }
    }
  }

  @Test func `the same holds of setups, teardowns and logins`() async throws {
    for outcome in OutcomeCase.fixtures {
      try await outcome.perform { file, said in
        let result = try #require(try Self.hold(outcome, said, reports: OutcomeCase.reports(of: file)))
        #expect((result.run.setup?.failed != nil) == (outcome.verdict == .invalid), "\(outcome.name)")
        if outcome.verdict == .invalid {
          #expect(result.reasons.first == "The setup failed, so no load was sent: login: status 401.")
          #expect(result.ledger.planned == 0 && result.findings.isEmpty, "\(result.findings.map(\.headline))")
        }
      }
    }
  }

  @Test func `a target without trusted TLS gets no load, one with it passes`() async throws {
    try await withTemporaryFolder { folder in
      let tls = try await TestAuthority(in: folder)
      try "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        .write(toFile: folder + "/items", atomically: true, encoding: .utf8)
      try await tls.serving { url in
        let scenario = OutcomeCase.shop(load: "[{ hold: 10/s, for: 1s }]")
        let plain = url.replacing("https:", with: "http:")
        let cases: [(name: String, target: String, authority: String, said: String?)] = [
          ("TLS, the right authority", url, tls.authority, nil),
          ("TLS, a wrong authority", url, tls.stranger, "Name the certificate of its authority with --cacert FILE"),
          ("plain HTTP at a port with TLS", plain, tls.authority, "Did you mean \(url)?"),
        ]
        for (name, target, authority, sentence) in cases {
          let outcome = OutcomeCase(
            name, sentence == nil ? .pass : .unreachable, sentence == nil ? .pass : .invalid, scenario,
            run: { try await OutcomeCase.murphy($0, ["--target", target, "--cacert", authority]) })
          try await outcome.perform { file, said in
            let result = try #require(try Self.hold(outcome, said, reports: OutcomeCase.reports(of: file)))
            if let sentence { #expect(result.run.unreached?.contains(sentence) == true, "\(result.reasons)") }
          }
        }
      }
    }
  }

  @discardableResult
  private static func hold(_ outcome: OutcomeCase, _ said: Program.Outcome, reports: String) throws -> RunResult? {
    print("outcome | \(outcome.name) | \(said.status) | \(outcome.verdict == nil ? "–" : said.lastLine)")
    guard let verdict = outcome.verdict else {
      #expect(said.status == outcome.status.rawValue, "\(outcome.name)\n\(said.output)\(said.errors)")
      #expect(Verdict.allCases.allSatisfy { said.lastLine != $0.word }, "\(outcome.name)\n\(said.output)")
      #expect(!said.errors.isEmpty, "\(outcome.name)")
      #expect(!FileManager.default.fileExists(atPath: reports + "/result.json"), "\(outcome.name)")
      return nil
    }
    let agreement = try RunAgreement(said, folder: reports)
    let saidVerdict = agreement.verdict(verdict)
    agreement.expect(saidVerdict, status: saidVerdict == verdict ? outcome.status : nil, outcome.name)
    if outcome.status == .unreachable {
      let reason = try #require(agreement.result.run.unreached)
      #expect(agreement.result.reasons == [reason], "\(outcome.name)")
      #expect(agreement.result.ledger.planned == 0, "\(outcome.name)")
      #expect(agreement.junit.contains("name=\"the preflight check passes\""), "\(outcome.name)")
      #expect(agreement.summary.contains("the preflight check failed"), "\(outcome.name)")
      #expect(said.errors.contains(reason), "\(outcome.name)")
    }
    return agreement.result
  }
}
