import MurphyModel
import MurphySchema

/// Checks every example and default of a document against its schema.
struct ExampleCheck {
  /// A value and its schemas. It must be valid in at least one direction.
  private struct Sample {
    let site: Located
    let schema: Located
    let what: String
    var severity = Diagnostic.Severity.warning
  }

  private var sources: DocumentSet
  private var samples: [Sample] = []
  private var visited: Set<LocationKey> = []

  init(_ sources: DocumentSet) { self.sources = sources }

  /// In the document's order: warnings, and errors for a `dataValue`, which must be valid by 3.2.
  mutating func run() -> [Diagnostic] {
    for document in sources.documents.indices { collect(sources.root(document)) }
    let sites = samples.map(\.schema)
    let variants = [SchemaOptions.Direction.response, .request].map { direction in
      SchemaVariant(
        SchemaVariant.Mode(direction: direction), sources: sources, sites: sites, branches: [])
    }
    return samples.enumerated().compactMap { index, sample in
      var first: SchemaViolation?
      for variant in variants {
        guard let entry = variant.entries[index] else { return nil }
        let violations = variant.program.explain(entry, sample.site.value)
        guard let violation = violations.first else { return nil }
        first = first ?? violation
      }
      guard let first else { return nil }
      let place = first.instancePointer.tokens.isEmpty ? "" : "\(first.instancePointer): "
      return sources.diagnostic(
        "\(sample.what) breaks its own schema: \(place)\(first.message)", at: sample.site, severity: sample.severity)
    }
  }

  /// Objects with a `schema` and `example` or `examples`, and schemas with their own `example` and `default`.
  private mutating func collect(_ site: Located) {
    switch site.value {
    case .object:
      if let schema = site["schema"] { media(site, schema) }
      for (name, member) in site.members
      where name != "example" && name != "examples" && name != "default" && name != "enum" {
        if ["schema", "items", "additionalProperties", "not"].contains(name) { self.schema(member) }
        if ["properties", "schemas", "$defs", "patternProperties"].contains(name) {
          for (_, schema) in member.members { self.schema(schema) }
          continue
        }
        if ["allOf", "anyOf", "oneOf", "prefixItems"].contains(name) { for item in member.items { self.schema(item) } }
        collect(member)
      }
    case .array: for item in site.items { collect(item) }
    default: break
    }
  }

  private mutating func media(_ site: Located, _ schema: Located) {
    if let example = site["example"] { samples.append(Sample(site: example, schema: schema, what: "the example")) }
    for (name, entry) in site["examples"]?.members ?? [] {
      guard let example = try? sources.resolved(entry), let value = example["value"] ?? example["dataValue"] else {
        continue
      }
      samples.append(
        Sample(
          site: value, schema: schema, what: "the example \"\(name)\"",
          severity: example["value"] == nil ? .error : .warning))
    }
  }

  private mutating func schema(_ schema: Located) {
    guard case .object = schema.value, visited.insert(schema.key).inserted else { return }
    let isOld = sources.version(of: schema.document)?.line == .v30
    if schema.value["$ref"] == nil || !isOld {
      if let value = schema["default"] { samples.append(Sample(site: value, schema: schema, what: "the default")) }
      if let value = schema["example"] { samples.append(Sample(site: value, schema: schema, what: "the example")) }
      if !isOld {
        for item in schema["examples"]?.items ?? [] {
          samples.append(Sample(site: item, schema: schema, what: "the example"))
        }
      }
    }
    collect(schema)
  }
}
