import MurphyModel

/// An OpenAPI document of the size of the largest public ones: thousands of operations, schemas that refer to one
/// another in circles, prose everywhere.
struct LargeDocument {
  var operations: Int
  var schemas: Int
  var seed: UInt64

  var yaml: String {
    var random = RandomSource(seed: seed)
    var lines = ["openapi: 3.1.0", "info: { title: Large, version: '1' }", "paths:"]
    for index in 0..<operations { lines += operation(index, &random) }
    lines += ["components:", "  schemas:"]
    for index in 0..<schemas { lines += schema(index, &random) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func operation(_ index: Int, _ random: inout RandomSource) -> [String] {
    let target = Int.random(in: 0..<schemas, using: &random)
    return [
      "  /area\(index % 97)/things\(index)/{id}:", "    \(["get", "put", "delete"][index % 3]):",
      "      operationId: op\(index)", "      description: \(prose)", "      parameters:",
      "        - { name: id, in: path, required: true, schema: { type: integer } }",
      "        - { name: q, in: query, schema: { type: string, maxLength: 10 } }", "      responses:", "        '200':",
      "          description: fine",
      "          headers: { X-Request-ID: { required: true, schema: { type: string } } }", "          content:",
      "            application/json:", "              schema: { $ref: '#/components/schemas/S\(target)' }",
      "        default:", "          description: a mistake", "          content:", "            application/json:",
      "              schema: { $ref: '#/components/schemas/S0' }",
    ]
  }

  private func schema(_ index: Int, _ random: inout RandomSource) -> [String] {
    func other() -> String { "{ $ref: '#/components/schemas/S\(Int.random(in: 0..<schemas, using: &random))' }" }
    var lines = [
      "    S\(index):", "      type: object", "      required: [id]", "      properties:",
      "        id: { type: integer }",
    ]
    for field in 0..<10 {
      lines += [
        "        f\(field):", "          type: string", "          description: \(prose)", "          maxLength: 100",
      ]
    }
    lines += [
      "        next: \(other())", "        list: { type: array, items: \(other()) }",
      "        choice: { oneOf: [\(other()), { type: 'null' }] }",
      "        self: { $ref: '#/components/schemas/S\(index)' }",
      "        kind: { enum: [a, b, c] }",
    ]
    return lines
  }

  private var prose: String { "A sentence or two that say what this is about, as people do write in such documents." }
}
