import MurphyModel
import Testing

@Suite struct DiagnosticTests {
  private func diagnostic(_ message: String, line: Int, severity: Diagnostic.Severity = .warning) -> Diagnostic {
    Diagnostic(message, at: SourceMark(file: "api.yaml", line: line, column: 3), severity: severity)
  }

  @Test func `of many diagnostics with equal words three are in full and the others are lines`() {
    let alike = (1...6).map { diagnostic("no operationId: scenarios call it \"GET /\($0)\"", line: 10 * $0) }
    let other = diagnostic("no operationId", line: 65)
    let error = diagnostic("no operationId: scenarios call it \"GET /7\"", line: 70, severity: .error)
    #expect(
      Diagnostic.texts(of: alike + [other, error]) == [
        alike[0].text, alike[1].text, alike[2].text,
        "api.yaml: warning: the same problem at 3 more places, at the lines 40, 50, 60",
        other.text, error.text,
      ])
    #expect(Diagnostic.texts(of: Array(alike.prefix(4))) == alike.prefix(4).map(\.text))
    #expect(Diagnostic.texts(of: []) == [])
  }

  @Test func `a listing has the name of each file once`() {
    let one = Diagnostic("wrong", at: SourceMark(file: "/a/b.yaml", line: 3, column: 4), sourceLine: "a: b", width: 1)
    let two = Diagnostic(
      "odd", at: SourceMark(file: "c.json", line: 1, column: 1, pointer: "/paths/~1a"), severity: .warning)
    let three = Diagnostic("none", at: SourceMark(file: "/a/b.yaml", line: 4, column: 1))
    #expect(
      Diagnostic.listing(of: [one, two, three]) == [
        "/a/b.yaml", "  3:4: error: wrong\n 3 | a: b\n   |    ^", "  4:1: error: none", "c.json",
        "  /paths/~1a: warning: odd",
      ])
  }
}
