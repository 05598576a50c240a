import MurphyContract
import MurphyModel
import Testing

/// Bodies made to cost their reader much: each is judged in time near to its length, or says that it was not.
@Suite struct HostileBodyTests {
  /// Seconds on a machine that is busy, in a debug build. Each body took more than a minute, or hundreds of megabytes.
  private static let bound = Duration.seconds(25)

  private static func text(_ schema: String, components: String = "", _ body: String) throws -> String {
    let judge = try XMLBodyTests.judge(schema, type: "application/json", components: components)
    let clock = ContinuousClock()
    let begin = clock.now
    let text = XMLBodyTests.text(judge, body, type: "application/json")
    #expect(clock.now - begin < bound, "\(schema.prefix(200))")
    return text
  }

  private static func object(_ names: Int) -> String {
    "{" + (0..<names).map { "\"name \($0)\":\($0)" }.joined(separator: ",") + "}"
  }

  @Test(arguments: [
    "{ additionalProperties: { type: integer } }",
    "{ patternProperties: { '^name [0-4]': { type: integer } }, additionalProperties: { type: integer } }",
    "{ patternProperties: { '^name': { type: integer } }, unevaluatedProperties: false }",
    "{ propertyNames: { maxLength: 20 }, allOf: [{ maxProperties: 100000 }, { type: object }] }",
  ]) func `an object as a map costs no more than its names`(schema: String) throws {
    #expect(try Self.text(schema, Self.object(40_000)) == "conformant")
  }

  @Test func `names that no schema mentions are found in one pass`() throws {
    let schema = """
      { allOf: [{ patternProperties: { '^q': true } }], anyOf: [{ properties: { a: true } }, { properties: { b: true } }],
      unevaluatedProperties: false }
      """.split(separator: "\n").joined()
    #expect(try Self.text(schema, Self.object(20_000)).contains("\"name 0\" is not allowed"))
  }

  @Test func `a letter with a million marks is measured and cut`() throws {
    let text = try Self.text("{ maxLength: 100 }", "\"a" + String(repeating: "\u{301}", count: 1_000_000) + "\"")
    #expect(text.contains("1000001 characters"))
    #expect(text.utf8.count < 10_000)
  }

  @Test func `wrong types beyond those that are listed cost little`() throws {
    let body = "[" + Array(repeating: "\"x\"", count: 300_000).joined(separator: ",") + "]"
    #expect(try Self.text("{ items: { type: integer } }", body).contains("expected an integer"))
  }

  /// Twenty branches, each of which has lists of the same: 20 to the power of the depth.
  @Test func `the branches of choices within choices are not all written out`() throws {
    let branches = (1...20).map { "{ required: [z\($0)], properties: { c: { $ref: '#/components/schemas/t' } } }" }
    let list = "[" + Array(repeating: "{\"c\":[{\"c\":[{\"c\":[{}]}]}]}", count: 20).joined(separator: ",") + "]"
    let text = try Self.text(
      "{ $ref: '#/components/schemas/t' }",
      components: "    t: { type: array, items: { anyOf: [\(branches.joined(separator: ", "))] } }", list)
    #expect(text.contains("matches none of the 20 schemas") || text.hasPrefix("unchecked: "), "\(text.prefix(300))")
  }

  /// Each text alone takes milliseconds.
  @Test func `texts that a pattern backtracks far in are given up together`() throws {
    let body =
      "[" + Array(repeating: "\"\(String(repeating: "a", count: 40))b\"", count: 150_000).joined(separator: ",") + "]"
    let text = try Self.text("{ items: { type: string, pattern: '(a|aa)+$' } }", body)
    #expect(text.hasPrefix("unchecked: ") && text.contains("(a|aa)+$"), "\(text.prefix(300))")
  }

  @Test func `texts that a pattern matches quickly are never given up`() throws {
    let body =
      "[" + Array(repeating: "\"\(String(repeating: "a", count: 60))\"", count: 50_000).joined(separator: ",") + "]"
    #expect(try Self.text("{ items: { type: string, pattern: '^a+$' } }", body) == "conformant")
  }
}
