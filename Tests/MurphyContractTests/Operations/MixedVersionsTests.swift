import MurphyContract
import MurphyModel
import Testing

/// OpenAPI 3.0 and 3.1 documents in one contract: each is read in its own schema language.
@Suite struct MixedVersionsTests {
  private static func document(_ id: String, _ version: String, _ schema: String) -> String {
    """
    openapi: \(version)
    info: { title: \(id), version: "1" }
    paths:
      /\(id):
        get:
          operationId: \(id)
          responses:
            "200":
              description: fine
              content:
                application/json:
                  schema: \(schema)
    """
  }

  private static func load(_ files: [(name: String, text: String)]) throws -> Contract {
    let texts = Dictionary(uniqueKeysWithValues: files.map { ("/c/" + $0.name, $0.text) })
    return try Contract.load(files.map { "/c/" + $0.name }.filter { !$0.contains("part") }, reader: .memory(texts))
  }

  private static func says(_ contract: Contract, _ operation: String, _ body: String) throws -> String {
    try #require(contract.index(of: operation)).judged(body, by: ResponseJudge(contract: contract))
  }

  /// `nullable` and a boolean `exclusiveMinimum` are words of 3.0; a list of types and a number are words of 3.1.
  static let old = "{ type: integer, nullable: true, minimum: 3, exclusiveMinimum: true }"
  static let new = "{ type: [integer, 'null'], exclusiveMinimum: 3 }"

  @Test(arguments: [["3.0.3", "3.1.0"], ["3.1.0", "3.0.3"], ["3.0.3", "3.2.0"]])
  func `each document means what its version says`(_ versions: [String]) throws {
    func schema(_ version: String) -> String { version.hasPrefix("3.0") ? Self.old : Self.new }
    let contract = try Self.load([
      ("a.yaml", Self.document("first", versions[0], schema(versions[0]))),
      ("b.yaml", Self.document("second", versions[1], schema(versions[1]))),
    ])
    #expect(contract.warnings == [])
    #expect(contract.version == versions.joined(separator: ", "))
    #expect(contract.files == ["/c/a.yaml", "/c/b.yaml"])
    for operation in ["first", "second"] {
      #expect(try Self.says(contract, operation, "4") == "conformant")
      #expect(try Self.says(contract, operation, "null") == "conformant")
      #expect(try Self.says(contract, operation, "3") == "violating")
      #expect(try Self.says(contract, operation, "\"4\"") == "violating")
    }
  }

  @Test func `what stands beside a reference counts from 3_1 on`() throws {
    func document(_ id: String, _ version: String) -> String {
      Self.document(id, version, "{ $ref: '#/components/schemas/Name', maxLength: 2 }")
        + "\ncomponents: { schemas: { Name: { type: string } } }"
    }
    let contract = try Self.load([("a.yaml", document("old", "3.0.0")), ("b.yaml", document("new", "3.1.0"))])
    #expect(try Self.says(contract, "old", "\"long\"") == "conformant")
    #expect(try Self.says(contract, "new", "\"long\"") == "violating")
  }

  @Test func `a file of parts is read as the document that refers to it`() throws {
    let contract = try Self.load([
      ("a.yaml", Self.document("old", "3.0.3", "{ $ref: 'part-a.yaml#/Number' }")),
      ("b.yaml", Self.document("new", "3.1.0", "{ $ref: 'part-b.yaml#/Number' }")),
      ("part-a.yaml", "Number: \(Self.old)"), ("part-b.yaml", "Number: { $ref: 'part-c.yaml#/Number' }"),
      ("part-c.yaml", "Number: \(Self.new)"),
    ])
    #expect(contract.warnings == [])
    for operation in ["old", "new"] {
      #expect(try Self.says(contract, operation, "null") == "conformant")
      #expect(try Self.says(contract, operation, "3") == "violating")
    }
  }

  @Test func `a file of parts that both refer to is a mistake`() throws {
    do {
      _ = try Self.load([
        ("a.yaml", Self.document("old", "3.0.3", "{ $ref: 'part.yaml#/Number' }")),
        ("b.yaml", Self.document("new", "3.1.0", "{ $ref: 'part.yaml#/Number' }")),
        ("part.yaml", "Number: \(Self.new)"),
      ])
      Issue.record("the contract was read")
    } catch let error as ContractError {
      #expect(
        error.diagnostics.map(\.text.first).count == 1
          && error.diagnostics[0].message.hasPrefix(
            "/c/a.yaml (OpenAPI 3.0.3) and /c/b.yaml (OpenAPI 3.1.0) both refer to this file"),
        "\(error.diagnostics.map(\.text))")
      #expect(error.diagnostics[0].mark.file == "/c/part.yaml")
    }
  }
}

extension Int {
  /// What the judge says of a body that the operation answers with.
  fileprivate func judged(_ body: String, by judge: ResponseJudge) -> String {
    let head = Array("Content-Type: application/json\r\n".utf8)
    let body = Array(body.utf8)
    let judgement = head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        judge.judge(ResponseView(status: 200, headerBlock: head, body: body, bodyIncomplete: false), operation: self)
      }
    }
    return switch judgement {
    case .conformant: "conformant"
    case .violating: "violating"
    case .unchecked(let reason), .opaque(let reason): "unchecked: \(reason)"
    }
  }
}
