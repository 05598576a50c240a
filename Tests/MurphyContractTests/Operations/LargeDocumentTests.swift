import MurphyContract
import Testing

@Suite struct LargeDocumentTests {
  @Test func `a document of thousands of operations and recursive schemas loads`() throws {
    let text = LargeDocument(operations: 3000, schemas: 1500, seed: 1).yaml
    #expect(text.utf8.count > 3_000_000)
    let clock = ContinuousClock()
    let start = clock.now
    let contract = try Contract.parse(text, file: "/large.yaml")
    let loaded = clock.now
    let judge = ResponseJudge(contract: contract)
    print("\(text.utf8.count) bytes loaded in \(loaded - start), judge ready in \(clock.now - loaded)")
    #expect(contract.operations.count == 3000)
    #expect(contract.warnings.map(\.text) == [])
    let answer = Answer(
      headers: [("Content-Type", "application/json"), ("X-Request-ID", "1")],
      body: #"{"id":1,"self":{"id":2,"next":{"id":3,"list":[{"id":4},{"id":"5"}]}},"choice":null}"#)
    let violation = try #require(judge.judge(answer, 17).violations.first)
    #expect(violation.instancePointer == "/self/next/list/1/id")
    #expect((violation.source?.line ?? 0) > 57_000)
    #expect(judge.coverage().count > 20_000)
  }

  @Test func `a large document is checked to the end`() throws {
    let text = LargeDocument(operations: 600, schemas: 300, seed: 3).yaml.replacing(
      "maxLength: 100", with: "maxlength: 100")
    let found = Contract.check("/t.yaml", reader: .memory(["/t.yaml": text]))
    #expect(found.count { $0.message.contains("\"maxlength\" is unknown") } == 3000)
    #expect(found.filter { $0.severity == .error } == [])
  }

  private func chain(_ length: Int) -> String {
    let links = (0..<length).map { "    S\($0): { $ref: '#/components/schemas/S\($0 + 1)' }" }.joined(separator: "\n")
    let last = "    S\(length): { type: object, properties: { a: { $ref: '#/components/schemas/S0' } } }"
    return Contracts.document(
      "  /a: { get: { operationId: a, responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/S0' } } } } } } }",
      rest: "components:\n  schemas:\n\(links)\n\(last)")
  }

  @Test func `loading a long chain of references costs no stack`() throws {
    let text = chain(5_000)
    let contract = try Contract.parse(text, file: "/t.yaml")
    #expect(contract.operations.count == 1)
    #expect(Contract.check("/t.yaml", reader: .memory(["/t.yaml": text])).filter { $0.severity == .error } == [])
  }

  @Test func `judging through a chain of references works`() throws {
    let contract = try Contract.parse(chain(150), file: "/t.yaml")
    let judge = ResponseJudge(contract: contract, options: JudgeOptions(undocumentedFields: true))
    #expect(judge.judge(.json(#"{"a":{"a":{}}}"#)).text == "conformant")
    #expect(judge.judge(.json("[]")).violations.count == 1)
    #expect(judge.judge(.json(#"{"a":{"b":1}}"#)).violations.map(\.instancePointer) == ["/a/b"])
  }
}
