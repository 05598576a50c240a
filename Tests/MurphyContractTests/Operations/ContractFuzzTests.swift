import Foundation
import MurphyContract
import MurphyModel
import Testing

/// Whatever a document says, loading it ends in a contract or in diagnostics, and what loads can be judged by.
@Suite struct ContractFuzzTests {
  private static let words = [
    "$ref", "'#/components/schemas/Law'", "'#'", "'#/paths'", "type", "object", "null", "[]", "{}", "-1", "1e999",
    "'*'", "&a", "*a", "<<:",
    "oneOf", "allOf", "discriminator", "required", "properties", "enum", "schema", "content", "'200'", "default",
    "parameters", "in", "query", "true", "\t", "!!str", "items", "pattern", "'('", "format", "x-ratelimit", "explode",
  ]

  @Test func `mutated documents never crash the loader`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    // A crash must not take the seed with it.
    fflush(nil)
    var random = RandomSource(seed: seed)
    let reference = try String(contentsOfFile: Repository.referenceContract, encoding: .utf8)
    let small = LargeDocument(operations: 5, schemas: 5, seed: 2).yaml
    var loaded = 0
    for round in 0..<300 {
      let text = Self.mutated(round % 10 == 0 ? reference : small, &random)
      let diagnostics = Contract.check("/fuzz.yaml", reader: .memory(["/fuzz.yaml": text]))
      for diagnostic in diagnostics { #expect(!diagnostic.text.isEmpty) }
      guard let contract = try? Contract.parse(text, file: "/fuzz.yaml") else { continue }
      loaded += 1
      let judge = ResponseJudge(contract: contract, options: JudgeOptions(undocumentedFields: round % 2 == 0))
      for operation in contract.operations.indices {
        for body in [#"{"id":1,"self":{"id":2},"choice":null,"kind":"a"}"#, "[1]", "{", "null"] {
          _ = judge.judge(
            Answer(headers: [("content-type", "application/json"), ("x-request-id", "1,2")], body: body), operation)
        }
        _ = try? contract.request(operation: operation, path: ["id": ["a": 1]], query: [("q", [1, [2], ["b": 3]])])
      }
      _ = judge.coverage()
    }
    // Most mutations leave YAML that is still a contract; if none did, nothing behind the parser was tried.
    #expect(loaded > 10)
  }

  private static func mutated(_ text: String, _ random: inout RandomSource) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: 0..<lines.count, using: &random)
      let other = Int.random(in: 0..<lines.count, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: lines.remove(at: index)
      case 1: lines.swapAt(index, other)
      case 2: lines.insert(lines[other], at: index)
      case 3:
        let word = words.randomElement(using: &random)!
        lines[index] = lines[index].split(separator: ":").first.map { "\($0): \(word)" } ?? word
      case 4:
        lines[index] = lines[index].replacingOccurrences(of: "S\(Int.random(in: 0..<5, using: &random))", with: "S9")
      case 5:
        var bytes = Array(lines[index].utf8)
        guard !bytes.isEmpty else { continue }
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
        lines[index] = String(decoding: bytes, as: UTF8.self)
      default:
        let word = words.randomElement(using: &random)!
        lines[index] = lines[index].replacingOccurrences(
          of: ": {", with: ": { \(word): \(words.randomElement(using: &random)!),")
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test func `random bytes never crash the readers`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    // A crash must not take the seed with it.
    fflush(nil)
    var random = RandomSource(seed: seed)
    let alphabet = Array("{}[]:,-&*!|>'\"%@`#\n \tab01?~<".utf8) + [0, 0x80, 0xFF]
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      for file in ["a.yaml", "a.json"] {
        let document = try? SourceDocument(text: SourceText(file: file, bytes: bytes), path: "/" + file)
        if let document { _ = document.diagnostic("x", at: .root).text }
      }
    }
  }
}
