import MurphyJSON
import MurphyModel

extension Contract {
  /// What is wrong with a body that is about to be sent, by the schema that the contract gives it: a hint to whoever
  /// wrote the scenario, never a finding against the API. Empty where nothing is documented for JSON.
  ///
  /// Compiles the schema anew: meant for `check`, not for every request.
  public func requestBodyMistakes(operation index: Int, _ body: JSONValue) -> [ContractViolation] {
    let operation = operations[index]
    guard let media = operation.requestBody?.content.first(where: { $0.range.admitsJSON }), let schema = media.schema
    else {
      return []
    }
    let variant = SchemaVariant(
      SchemaVariant.Mode(direction: .request), sources: sources, sites: [schema.located], branches: [])
    guard let entry = variant.entries[0] else { return [] }
    return variant.program.explain(entry, body).map { violation in
      let site = sources.located(violation.schemaPointer)
      let place = violation.instancePointer.tokens.isEmpty ? "the body" : violation.instancePointer.description
      return ContractViolation(
        kind: .contractRequestBody, message: "\(operation.id): \(place): \(violation.message)",
        instancePointer: violation.instancePointer.description, schemaPointer: site.map(sources.pointerText),
        source: site.map { sources.mark($0) }, discriminator: "request \(violation.schemaPointer.pointer)")
    }
  }
}
