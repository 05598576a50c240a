import MurphyJSON
import MurphyModel

struct SchemaAssembly {
  var warnings: [Diagnostic] = []
  init(sources: DocumentSet, version: OpenAPIVersion, options: JudgeOptions) {}
  mutating func entry(_ schema: Located) -> Int? { nil }
  func finish() -> CompiledSchemas { CompiledSchemas() }
}

struct CompiledSchemas: Sendable {}
