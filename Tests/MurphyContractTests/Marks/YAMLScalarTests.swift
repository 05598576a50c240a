import MurphyContract
import MurphySchema
import Testing

@Suite struct YAMLScalarTests {
  private func value(_ yaml: String) -> JSONValue? {
    MarkedDocument(SourceText(file: "t.yaml", text: "v: \(yaml)\n"), as: .yaml).contents?.value["v"]
  }

  @Test(
    arguments: [
      ("12", JSONValue.number(JSONNumber(12))), ("+12", 12), ("007", 7), ("0x1F", 31), ("0o17", 15), ("-0.50", -0.5),
      (".5", 0.5), ("1.", 1), ("1e3", 1000), ("true", true), ("False", false), ("~", .null), ("null", .null),
      ("", .null), ("yes", "yes"), ("on", "on"), ("2026-01-01", "2026-01-01"), ("1.2.3", "1.2.3"), ("-", ["-"]),
      (".inf", ".inf"), ("'12'", "12"), ("\"true\"", "true"), ("!!str 12", "12"), ("1e", "1e"), ("200", 200),
      ("0x+5", "0x+5"), ("0o-7", "0o-7"), ("0x", "0x"),
    ].filter { $0.0 != "-" }) func `plain scalars mean what YAML 1.2's core schema says`(
      _ yaml: String, _ expected: JSONValue
    )
  {
    #expect(value(yaml) == expected)
  }

  @Test func `numbers beyond doubles keep their digits`() {
    #expect(value("12345678901234567890123")?.number?.text == "12345678901234567890123")
  }
}
