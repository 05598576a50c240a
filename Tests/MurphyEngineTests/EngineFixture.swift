import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario

/// A small API, and runs against it.
enum EngineFixture {
  static let document = """
    openapi: 3.1.0
    info: { title: Laws, version: "1" }
    components:
      schemas:
        Law:
          type: object
          required: [id, text]
          additionalProperties: false
          properties: { id: { type: integer }, text: { type: string } }
    paths:
      /laws:
        get:
          operationId: listLaws
          parameters: [{ name: q, in: query, schema: { type: string } }]
          responses:
            "200":
              description: a page
              content:
                application/json:
                  schema:
                    type: object
                    required: [data]
                    properties: { data: { type: array, items: { $ref: "#/components/schemas/Law" } } }
      /laws/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        get:
          operationId: getLaw
          responses:
            "200":
              description: a law
              content: { application/json: { schema: { $ref: "#/components/schemas/Law" } } }
      /laws/{id}/vote:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        post:
          operationId: voteLaw
          requestBody:
            content: { application/json: { schema: { type: object } } }
          responses:
            "204": { description: counted }
            "429": { description: too many }
    """

  static let law = #"{"id":7,"text":"Anything that can go wrong will go wrong."}"#
  static let page = #"{"data":[{"id":7,"text":"a"},{"id":8,"text":"b"}]}"#

  static func contract() throws -> Contract { try Contract.parse(document, file: "/tmp/laws.yaml") }

  /// Runs a scenario of which only what differs is given.
  ///
  /// - Parameter loops: nil for one that skips the time in which no request is in flight; with a number the run takes the
  ///   time that it takes, for tests of which time is the subject, or the division of users among loops.
  static func run(
    _ yaml: String, against url: String, loops: Int? = nil, stop: StopSignal = StopSignal(),
    configure: (inout EngineOptions) -> Void = { _ in }
  ) async throws -> RunRecord {
    let contract = try contract()
    let text = "name: test\ncontract: laws.yaml\ntarget: http://127.0.0.1:1\n" + yaml
    let scenario = try Scenario.parse(text: text, file: "/tmp/test.yaml", operations: contract.summaries)
    var options = EngineOptions(seed: 7)
    options.loops = loops
    options.clock = loops == nil ? .skipping : .system
    configure(&options)
    return try await Engine.measure(scenario, contract: contract, target: url, options: options, stop: stop).record
  }
}

extension RunRecord {
  func operation(_ id: String) -> OperationRecord { operations.first { $0.operation == id }! }
  func session(_ name: String) -> SessionResult { sessions.first { $0.session == name }! }
}
