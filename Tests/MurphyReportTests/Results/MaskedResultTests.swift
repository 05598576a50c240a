import Foundation
import MurphyContract
import MurphyModel
import MurphyReport
import MurphySchema
import Testing

/// A secret can be any text, a word of murphy's own among them.
@Suite struct MaskedResultTests {
  /// Every text of a value, with the names of objects left out.
  private static func texts(in value: JSONValue) -> Set<String> {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(texts(in: $1)) }
    case .object(let object): object.members.reduce(into: []) { $0.formUnion(texts(in: $1.value)) }
    case .number, .bool, .null: []
    }
  }

  private static func small(_ result: RunResult) -> RunResult {
    var result = result
    result.timeline = []
    result.coverage.items = Array(result.coverage.items.prefix(20))
    return result
  }

  @Test func `whatever text of a result is a secret, the result stays one`() throws {
    for result in [Sample.fail, Sample.limits, Sample.noData].map(Self.small) {
      for secret in Self.texts(in: try JSONTreeEncoder.encode(result)) where secret.utf8.count >= 4 {
        let masked = try SecretMask(secrets: [secret]).masked(result)
        #expect(masked.findings.map(\.kind) == result.findings.map(\.kind), "\(secret)")
        #expect(masked.budgets.map(\.metric) == result.budgets.map(\.metric), "\(secret)")
        #expect(masked.verdict == result.verdict)
      }
    }
  }

  @Test(arguments: ["test", "user", "users", "share", "limit", "body", "contract", "error", "pass", "scenario"])
  func `a password that murphy's own words hold is masked in data and not in those words`(_ secret: String) throws {
    var result = Self.small(Sample.fail)
    result.run.load = [LoadStage(.users, from: 1, to: 5, start: .zero, end: .seconds(1))]
    result.findings[0].message = "the response was \"\(secret)\", and that \(secret) is wrong"
    let masked = try SecretMask(secrets: [secret]).masked(result)
    #expect(masked.findings[0].message == "the response was \"***\", and that \(secret) is wrong")
    #expect(masked.findings.map(\.kind) == result.findings.map(\.kind))
    #expect(masked.run.load == result.run.load)
  }
}
