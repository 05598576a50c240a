import Foundation
import Murphy
import TestSupport
import Testing

/// What a script shows when it is pasted into a shell.
struct Replay {
  private(set) var statuses: Set<Int> = []
  /// Of the findings that the contract's judge makes of the responses.
  private(set) var fingerprints: Set<String> = []
  /// Requests that curl got no whole response to.
  private(set) var failures = 0
  private(set) var summary = ""

  init(script: String, contract: Contract, operation: String) async throws {
    let (output, errors) = try await Self.run(script)
    failures = errors.components(separatedBy: "curl: (").count - 1
    summary = String(decoding: output.prefix(600), as: UTF8.self) + errors.prefix(300)
    let judge = ResponseJudge(contract: contract)
    let index = try #require(contract.index(of: operation))
    for answer in Self.answers(output) {
      guard let (status, head, body) = Self.parse(answer) else { continue }
      statuses.insert(status)
      let judgement = head.withUnsafeBytes { head in
        body.withUnsafeBytes { body in
          judge.judge(
            ResponseView(status: status, headerBlock: head, body: body, bodyIncomplete: false), operation: index)
        }
      }
      guard case .violating(let violations) = judgement else { continue }
      for violation in violations {
        fingerprints.insert(Finding.fingerprint(of: [violation.kind.rawValue, operation, violation.discriminator]))
      }
    }
  }

  static func run(
    _ script: String, environment: [String: String] = [:]
  ) async throws -> (output: [UInt8], errors: String) {
    let outcome = try await Command.shell(script, environment: environment).run()
    return (outcome.bytes, outcome.errors)
  }

  /// Responses begin with a status line; the bodies of the reference API hold none.
  private static func answers(_ output: [UInt8]) -> [ArraySlice<UInt8>] {
    let mark = Array("HTTP/1.1 ".utf8)
    let starts = output.indices.filter { output[$0] == mark[0] && output[$0...].starts(with: mark) }
    return zip(starts, starts.dropFirst() + [output.count]).map { output[$0..<$1] }
  }

  private static func parse(_ answer: ArraySlice<UInt8>) -> (status: Int, head: [UInt8], body: [UInt8])? {
    let bytes = Array(answer)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }),
      let line = bytes.firstIndex(of: 10),
      let status = Int(String(decoding: bytes[9..<12], as: UTF8.self)), line < end + 4
    else { return nil }
    return (status, Array(bytes[(line + 1)..<(end + 2)]), Array(bytes[(end + 4)...]))
  }
}
