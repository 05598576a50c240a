import Foundation
import MurphySchema
import Testing

/// From bytes to verdict on random inputs. `MURPHY_FUZZ_INPUTS` sets how many, `MURPHY_FUZZ_SEED` which.
@Suite struct SchemaFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let inputs = environment["MURPHY_FUZZ_INPUTS"].flatMap(Int.init) ?? 10_000
  private static let seed = environment["MURPHY_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_261_121

  /// What has been seen; the last lines of the test.
  struct Tally {
    var inputs = 0
    var schemas = 0
    var valid = 0
    var invalid = 0
    var unchecked = 0
    var malformed = 0
    var settled = 0
    var failures: [String] = []
  }

  @Test func `tape and tree always agree`() {
    var tally = Tally()
    var random = SeededGenerator(seed: Self.seed)
    let parser = TapeParser(maximumSize: 1 << 20)
    let scratch = SchemaScratch()
    while tally.inputs < Self.inputs, tally.failures.count < 5 {
      let round = random.next()
      var generator = SchemaGenerator(
        documents: DocumentGenerator(random: SeededGenerator(seed: round)), dialect: random.pick(Dialect.allCases))
      let text = generator.schema()
      var options = SchemaOptions()
      options.formatAssertion = true
      options.rejectsUndocumentedProperties = random.chance(20)
      options.invalidKeywords = random.chance(50) ? .unchecked : .reject
      guard let schema = try? Schema(json: text, dialect: generator.dialect, options: options) else {
        tally.inputs += 1
        continue
      }
      tally.schemas += 1
      for _ in 0..<20 {
        tally.inputs += 1
        var bytes = Array(generator.documents.value().utf8)
        if random.chance(5) { bytes = generator.documents.broken(bytes) }
        check(bytes, schema, text, parser, scratch, &tally)
      }
    }
    print(
      "fuzzing with seed \(Self.seed): \(tally.inputs) inputs, \(tally.schemas) schemas: \(tally.valid) valid (\(tally.settled)"
        + " settled on the tape), \(tally.invalid) invalid, \(tally.unchecked) unchecked, \(tally.malformed) malformed")
    #expect(tally.failures.isEmpty, "\(tally.failures.joined(separator: "\n"))")
    #expect(tally.settled * 10 > tally.valid * 6, "the tape settles too little")
  }

  private func check(
    _ bytes: [UInt8], _ schema: Schema, _ text: String, _ parser: TapeParser, _ scratch: SchemaScratch,
    _ tally: inout Tally
  ) {
    func fail(_ what: String) {
      tally.failures.append("\(what)\n  schema \(text)\n  document \(String(decoding: bytes, as: UTF8.self))")
    }
    let exact = Result { () throws(JSONError) in try JSONValue.parse(bytes) }
    bytes.withUnsafeBytes { buffer in
      let parsed = parser.parse(buffer)
      switch (parsed, exact) {
      case (.tape(let tape), .success(let value)):
        let copy = tape.value(at: tape.root)
        if copy.text != value.text { fail("the tape reads \(copy.text), the parser \(value.text)") }
        let tree = schema.verdict(value)
        let settled = schema.program.holdsOnTape(schema.entry, tape, scratch)
        if settled, tree != .valid { fail("the tape says valid, the tree \(tree)") }
        if settled { tally.settled += 1 }
        let explained = schema.validate(value)
        if (tree == .invalid) == explained.isEmpty { fail("the verdict is \(tree), the violations \(explained)") }
        switch tree {
        case .valid: tally.valid += 1
        case .invalid: tally.invalid += 1
        case .unchecked: tally.unchecked += 1
        }
      case (.value(let big), .success(let value)):
        if big.text != value.text { fail("two readings") }
        if (schema.verdict(value) == .invalid) == schema.validate(value).isEmpty {
          fail("verdict and violations differ")
        }
      case (.malformed, .failure): tally.malformed += 1
      default: fail("one parser takes it, the other does not")
      }
    }
  }
}
