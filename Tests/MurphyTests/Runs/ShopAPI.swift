import Foundation

/// A small API with documented errors, and a scenario for it: what an outage that keeps its contract looks like.
enum ShopAPI {
  static let contract = """
    openapi: 3.1.0
    info: { title: Shop, version: "1" }
    paths:
      /login:
        post:
          operationId: login
          responses:
            "200": { description: in, content: { application/json: { schema: { type: object } } } }
            "401": { description: not in, content: { application/json: { schema: { type: object } } } }
            default: { description: trouble, content: { application/json: { schema: { type: object } } } }
      /items:
        get:
          operationId: listItems
          responses:
            "200": { description: all, content: { application/json: { schema: { type: object } } } }
            default: { description: trouble, content: { application/json: { schema: { type: object } } } }
      /items/{id}:
        get:
          operationId: getItem
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses:
            "200": { description: one, content: { application/json: { schema: { type: object } } } }
            default: { description: trouble, content: { application/json: { schema: { type: object } } } }
    """

  /// What a healthy server answers to everything.
  static let body = #"{"data":[1,2,3]}"#

  static let steps = """
    - call: login
    - call: listItems
      save: { ids: "$.data[*]" }
    - call: getItem
      path: { id: "${pick(ids)}" }
    """

  static func scenario(
    url: String, steps: String = steps, expect: String = "", settings: String = "",
    load: String = "[{ hold: 40/s, for: 2s }]"
  ) -> String {
    let lines = steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    return """
      name: Shop
      contract: shop.yaml
      target: \(url)
      settings: { grace: 2s\(settings.isEmpty ? "" : ", ")\(settings) }
      sessions:
        buy:
          steps:
      \(lines)
      load: \(load)
      \(expect.isEmpty ? "" : "expect: { \(expect) }")
      """
  }

  /// Writes contract and scenario into a folder of their own; `body` gets the scenario's path.
  static func withFiles<Value>(_ scenario: String, _ body: (String) async throws -> Value) async throws -> Value {
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/shop.yaml", atomically: true, encoding: .utf8)
      try scenario.write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
      return try await body(folder + "/scenario.yaml")
    }
  }
}
