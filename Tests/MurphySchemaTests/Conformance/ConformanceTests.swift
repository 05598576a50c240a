import MurphyJSON
import MurphySchema
import TestSupport
import Testing

@Suite(.requires(data: ConformanceSuite.folder)) struct ConformanceTests {
  /// Those of which the suite holds tests here; the others are held to what they share with a neighbour.
  static let drafts: [(String, Dialect)] = [
    ("draft4", .draft4), ("draft6", .draft6), ("draft7", .draft7), ("draft2019-09", .draft201909),
    ("draft2020-12", .draft202012),
  ].filter { ConformanceSuite.holds($0.0) }

  @Test func theSuiteIsThere() {
    #expect(["draft4", "draft7", "draft2020-12"].allSatisfy(ConformanceSuite.holds))
  }

  @Test(arguments: drafts) func everyRequiredTestPasses(_ draft: String, _ dialect: Dialect) throws {
    try run("\(draft), required", dialect, formats: false) { try ConformanceSuite.groups(of: draft, formats: false) }
  }

  @Test(arguments: drafts) func everyFormatTestPasses(_ draft: String, _ dialect: Dialect) throws {
    try run("\(draft), format", dialect, formats: true) { try ConformanceSuite.groups(of: draft, formats: true) }
  }

  /// Draft 6 is draft 7 without a few keywords: what the tests of 7 say of the others holds for 6.
  @Test func draft6PassesTheTestsOfDraft7ThatItShares() throws {
    try run("draft6, shared with draft7", .draft6, formats: false) {
      try ConformanceSuite.groups(of: "draft7", formats: false, without: ["if", "then", "else"]) {
        $0.replacing("draft-07", with: "draft-06").replacing("/draft7/", with: "/draft6/")
      }
    }
  }

  /// Draft 2019-09 differs from 2020-12 in lists of items and in dynamic references.
  @Test func draft201909PassesTheTestsOfDraft202012ThatItShares() throws {
    let words = ["prefixItems", "dynamicRef", "$dynamicRef", "$dynamicAnchor", "contains"]
    try run("draft2019-09, shared with draft2020-12", .draft201909, formats: false) {
      try ConformanceSuite.groups(of: "draft2020-12", formats: false, without: words) {
        $0.replacing("draft/2020-12", with: "draft/2019-09").replacing("draft2020-12", with: "draft2019-09")
      }
    }
  }

  private func run(
    _ name: String, _ dialect: Dialect, formats: Bool, _ read: () throws -> [ConformanceSuite.Group]
  ) throws {
    let groups = try read()
    var passed = 0
    var failures: [String] = []
    var options = SchemaOptions()
    options.formatAssertion = formats
    let tapes = TapeParser()
    let scratch = SchemaScratch()
    for group in groups {
      do {
        let schema = try Schema(
          group.schema, dialect: dialect, options: options, uri: "http://localhost:1234/suite/schema.json",
          loader: ConformanceSuite.remote)
        for test in group.tests {
          let expected = test.valid ? SchemaVerdict.valid : .invalid
          let slow = schema.verdict(test.data)
          let explained = schema.validate(test.data).isEmpty
          let fast = Array(test.data.text.utf8).withUnsafeBytes { bytes in
            schema.program.isValid(schema.entry, tapes.parse(bytes), scratch)
          }
          if slow == expected, fast == expected, explained == test.valid {
            passed += 1
          } else {
            failures.append(
              "\(group.file): \(group.description): \(test.description): tree \(slow), tape \(fast), expected \(expected)"
            )
          }
        }
      } catch {
        failures.append("\(group.file): \(group.description): \(error)")
      }
    }
    print("JSON Schema \(name): \(passed) of \(passed + failures.count) pass")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(passed > 0)
  }
}
