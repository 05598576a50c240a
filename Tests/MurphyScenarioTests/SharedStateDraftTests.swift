import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import Testing

/// A draft requires no status that depends on data which other users change.
@Suite struct SharedStateDraftTests {
  private static let document = """
    openapi: 3.1.0
    info: { title: Shop, version: "1" }
    components:
      schemas: { Book: { type: object, required: [id], properties: { id: { type: integer } } } }
      responses:
        Book: { description: It, content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
        None: { description: None }
    paths:
      /books:
        get:
          operationId: listBooks
          responses:
            "200":
              description: All
              content:
                application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Book" } } }
        post:
          operationId: addBook
          requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [name], properties: { name: { type: string } } } } } }
          responses: { "201": { $ref: "#/components/responses/Book" }, "409": { $ref: "#/components/responses/None" } }
      /books/{book_id}:
        parameters: [{ name: book_id, in: path, required: true, schema: { type: integer } }]
        get:
          operationId: getBook
          responses: { "200": { $ref: "#/components/responses/Book" }, "404": { $ref: "#/components/responses/None" } }
        delete:
          operationId: deleteBook
          responses: { "204": { description: Gone }, "404": { $ref: "#/components/responses/None" } }
      /cart/items/{book_id}:
        parameters: [{ name: book_id, in: path, required: true, schema: { type: integer } }]
        put:
          operationId: putItem
          responses: { "200": { description: In the cart }, "409": { $ref: "#/components/responses/None" } }
        delete:
          operationId: removeItem
          responses: { "204": { description: Gone }, "404": { $ref: "#/components/responses/None" } }
      /orders:
        post:
          operationId: createOrder
          responses: { "202": { $ref: "#/components/responses/Book" }, "409": { $ref: "#/components/responses/None" } }
      /orders/{order_id}/cancel:
        post:
          operationId: cancelOrder
          parameters: [{ name: order_id, in: path, required: true, schema: { type: integer } }]
          responses: { "200": { description: Gone }, "404": { $ref: "#/components/responses/None" } }
    """

  private static func draft(_ change: (inout ScenarioDraft.Options) -> Void = { _ in }) throws -> String {
    var options = ScenarioDraft.Options(contract: "api.yaml")
    options.writes = true
    change(&options)
    return ScenarioDraft(try Contract.parse(document, file: "api.yaml"), options).text
  }

  /// The lines of the steps that call the operation, each up to the next step.
  private static func steps(_ operation: String, in text: String) -> [String] {
    text.components(separatedBy: "- ").filter { $0.hasPrefix("call: \(operation)") }
  }

  @Test func `a conflict is expected even if none was measured`() throws {
    let text = try Self.draft()
    for operation in ["putItem", "createOrder", "addBook"] {
      let steps = Self.steps(operation, in: text)
      #expect(!steps.isEmpty && steps.allSatisfy { $0.contains(", 409]") }, "\(text)")
    }
  }

  @Test func `a success is expected even if none was measured`() throws {
    let text = try Self.draft { options in
      (options.isMeasured, options.refused) = (true, ["createOrder": [409], "removeItem": [404]])
      options.measured = [ScenarioDraft.MeasuredLatency(operation: "listBooks", answers: 9, p95: .milliseconds(10))]
    }
    #expect(Self.steps("createOrder", in: text).allSatisfy { $0.contains("[2XX, 409]") }, "\(text)")
    #expect(Self.steps("removeItem", in: text).allSatisfy { $0.contains("[2XX, 404]") }, "\(text)")
    let expectations = text.components(separatedBy: "\nexpect:\n").last ?? ""
    #expect(expectations.contains("  called:\n") && expectations.contains("    - listBooks\n"), "\(text)")
    #expect(!expectations.contains("    - createOrder\n") && !expectations.contains("    - removeItem\n"), "\(text)")
  }

  @Test func `an item that other users can remove may be gone`() throws {
    let text = try Self.draft()
    #expect(Self.steps("removeItem", in: text).allSatisfy { $0.contains("[2XX, 404]") }, "\(text)")
    #expect(!Self.steps("removeItem", in: text).isEmpty, "\(text)")
  }

  /// 202 says that the work is not done yet (RFC 9110 §15.3.3).
  @Test func `an item of an accepted creation may not exist yet`() throws {
    let text = try Self.draft()
    let steps = Self.steps("cancelOrder", in: text)
    #expect(!steps.isEmpty && steps.allSatisfy { $0.contains("[2XX, 404]") }, "\(text)")
  }

  /// A server that loses an item must not pass.
  @Test func `the own item of a session must exist`() throws {
    let text = try Self.draft()
    let deletions = Self.steps("deleteBook", in: text)
    #expect(!deletions.isEmpty && deletions.allSatisfy { !$0.contains("404") }, "\(text)")
  }

  /// A login without `security` gets 401 for its body, and no credentials of the environment change that.
  @Test(arguments: [true, false])
  func `an operation with rejected credentials is required, and a rejected login is not`(_ isOpen: Bool) throws {
    let security = isOpen ? "" : "\nsecurity: [{ key: [] }]"
    let schemes = "components:\n  securitySchemes: { key: { type: http, scheme: bearer } }\n"
    let whole = Self.document.replacingOccurrences(of: "components:\n", with: schemes) + security
    var options = ScenarioDraft.Options(contract: "api.yaml")
    (options.writes, options.isMeasured, options.refused) = (true, true, ["createOrder": [401]])
    options.measured = [ScenarioDraft.MeasuredLatency(operation: "listBooks", answers: 9, p95: .milliseconds(10))]
    let text = ScenarioDraft(try Contract.parse(whole, file: "api.yaml"), options).text
    #expect(text.contains("  called:\n") == isOpen, "\(text)")
  }

  /// The run would report it as a finding of the draft's own making.
  @Test func `an operation that returns only an undocumented status has no step`() throws {
    let text = try Self.draft { options in
      (options.isMeasured, options.refused) = (true, ["createOrder": [403]])
      options.measured = [ScenarioDraft.MeasuredLatency(operation: "listBooks", answers: 9, p95: .milliseconds(10))]
    }
    #expect(Self.steps("createOrder", in: text).isEmpty, "\(text)")
    #expect(
      text.contains("createOrder: it returned only 403, and the document does not describe 403\n"), "\(text)")
  }
}
