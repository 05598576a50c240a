import MurphySchema
import TestSupport
import Testing

@Suite(.requires(data: ConformanceSuite.folder)) struct ConformanceTests {
  static let drafts: [(String, Dialect)] = [
    ("draft4", .draft4), ("draft6", .draft6), ("draft7", .draft7), ("draft2019-09", .draft201909),
    ("draft2020-12", .draft202012),
  ]

  @Test(arguments: drafts) func `every required test passes`(_ draft: String, _ dialect: Dialect) throws {
    try run("\(draft), required", dialect, formats: false) { try ConformanceSuite.groups(of: draft, formats: false) }
  }

  @Test(arguments: drafts) func `every format test passes`(_ draft: String, _ dialect: Dialect) throws {
    try run("\(draft), format", dialect, formats: true) { try ConformanceSuite.groups(of: draft, formats: true) }
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
