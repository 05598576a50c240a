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

  private let documents: SchemaDocuments
  private var sources: DocumentSet
  private var samples: [Sample] = []
  private var visited: Set<LocationKey> = []
  /// By document: true before 3.1.
  private let isOld: [Bool]

  init(_ documents: SchemaDocuments) {
    self.documents = documents
    sources = documents.sources
    isOld = documents.sources.documents.indices.map { documents.sources.version(of: $0)?.line == .v30 }
  }

  /// Finds the samples of all documents.
  mutating func collect() { for document in sources.documents.indices { collect(sources.root(document)) } }

  /// The schema of each sample.
  var schemas: [Located] { samples.map(\.schema) }

  /// In the document's order: warnings, and errors for a `dataValue`, which must be valid by 3.2.
  ///
  /// - Parameter responses: with an entry for each sample.
  func diagnostics(_ responses: SchemaVariant) -> [Diagnostic] {
    let wrong = zip(samples, responses.sampleEntries).compactMap { sample, entry in
      entry.flatMap { responses.program.explain($0, sample.site.value).first }.map { (sample, $0) }
    }
    return zip(wrong, areWrongInRequests(wrong.map(\.0))).compactMap { wrong, isWrongInRequests in
      guard isWrongInRequests else { return nil }
      let (sample, violation) = wrong
      let place = violation.instancePointer.tokens.isEmpty ? "" : "\(violation.instancePointer): "
      return sources.diagnostic(
        "\(sample.what) does not conform to its schema: \(place)\(violation.message)", at: sample.site,
        severity: sample.severity)
    }
  }

  /// Samples that are wrong in responses may be right in requests.
  private func areWrongInRequests(_ samples: [Sample]) -> [Bool] {
    guard !samples.isEmpty, documents.registry.hasDirections else { return samples.map { _ in true } }
    let requests = SchemaVariant(
      SchemaVariant.Mode(direction: .request), documents, sites: samples.map(\.schema), branches: [])
    return zip(samples, requests.entries).map { sample, entry in
      entry.map { !requests.program.explain($0, sample.site.value).isEmpty } ?? false
    }
  }

  /// Objects with a `schema` and `example` or `examples`, and schemas with their own `example` and `default`.
  private mutating func collect(_ site: Located) {
    switch site.value {
    case .object(let object):
      if let schema = site["schema"] { media(site, schema) }
      for entry in object.members where entry.value.isContainer {
        let name = entry.key
        if ["example", "examples", "default", "enum"].contains(name) { continue }
        let member = site.member(entry)
        if ["schema", "items", "additionalProperties", "not"].contains(name) { self.schema(member) }
        if ["properties", "schemas", "$defs", "patternProperties"].contains(name) {
          for (_, schema) in member.members { self.schema(schema) }
          continue
        }
        if ["allOf", "anyOf", "oneOf", "prefixItems"].contains(name) { for item in member.items { self.schema(item) } }
        collect(member)
      }
    case .array(let items):
      if items.contains(where: \.isContainer) { for item in site.items { collect(item) } }
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
    let isOld = isOld[schema.document]
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

extension JSONValue {
  /// True for an object and for an array.
  fileprivate var isContainer: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}

/// Changes a conformant body so that its schema should reject it, and checks that it does.
///
/// At each position of the body (the first item represents a list) it changes the type, removes a required field or
/// changes an `enum` value. It tries at most ``limit`` mutants of a body.
struct Mutants {
  /// The number of bodies of a response that are mutated.
  static let bodies = 2
  private static let limit = 60

  struct Accepted {
    let sentence: String
    /// No mutant was rejected.
    let isWhole: Bool
  }

  private struct Mutant {
    let body: JSONValue
    let sentence: String
    /// The schema has a rule for the changed part, so it should reject the mutant. Otherwise the mutant only counts
    /// towards the report of a schema that rejects nothing.
    let isDue: Bool
  }

  private let library: SchemaLibrary
  private let variant: SchemaVariant
  private let navigator: SchemaNavigator

  init(_ library: SchemaLibrary, _ variant: SchemaVariant) {
    self.library = library
    self.variant = variant
    navigator = SchemaNavigator(library.sources)
  }

  /// The mutants of `body` that the schema of `site` accepted wrongly; empty for a schema that can reject.
  func accepted(_ body: JSONValue, _ schema: Located, site: Int) -> [Accepted] {
    guard let entry = variant.entries[site] else { return [] }
    var mutants: [Mutant] = []
    collect(body, at: .root, in: body, [schema], &mutants)
    let survivors = mutants.filter {
      if case .valid = variant.program.isValid(entry, $0.body) { true } else { false }
    }
    let isWhole = survivors.count == mutants.count && !mutants.isEmpty
    return survivors.filter { isWhole || $0.isDue }.map { Accepted(sentence: $0.sentence, isWhole: isWhole) }
  }

  private func collect(
    _ value: JSONValue, at pointer: JSONPointer, in body: JSONValue, _ schemas: [Located], _ mutants: inout [Mutant]
  ) {
    guard mutants.count < Self.limit, pointer.tokens.count < 12 else { return }
    let scope = everything(schemas)
    let place = pointer.tokens.isEmpty ? "the body" : pointer.description
    func add(_ replacement: JSONValue?, at target: JSONPointer, _ sentence: String, isDue: Bool) {
      guard mutants.count < Self.limit else { return }
      mutants.append(
        Mutant(
          body: body.replacing(at: target.tokens[...], with: replacement) ?? body, sentence: sentence, isDue: isDue))
    }
    let swapped = Self.otherType(value)
    add(
      swapped, at: pointer, "\(place): \(swapped.typeName) instead of \(value.typeName)",
      isDue: scope.contains { Self.refuses(swapped, $0) } && !scope.contains { Self.admits(swapped, $0) })
    if case .string(let text) = value, scope.contains(where: Self.isEnumerated),
      !scope.contains(where: { Self.admits(value, $0) })
    {
      add(.string(text + "-mutant"), at: pointer, "\(place): \"\(text)-mutant\", which is not in the enum", isDue: true)
    }
    switch value {
    case .object(let object):
      let required = scope.map { Set($0.required) }.filter { !$0.isEmpty }
      for member in object.members {
        let inner = pointer.appending(member.key)
        // Branches with different required members are alternatives, and a mutant may turn one alternative into
        // another.
        if !required.isEmpty, required.allSatisfy({ $0.contains(member.key) }) {
          add(nil, at: inner, "\(inner) omitted, although it is required", isDue: true)
        }
        let next = scope.flatMap { navigator.schemas(for: member.key, in: $0) }
        if !next.isEmpty { collect(member.value, at: inner, in: body, next, &mutants) }
      }
    case .array(let items):
      guard let first = items.first else { return }
      let next = scope.flatMap { navigator.schemas(at: 0, in: $0) }
      if !next.isEmpty { collect(first, at: pointer.appending(0), in: body, next, &mutants) }
    default: break
    }
  }

  /// All schemas that apply to a position, including those of branches.
  private func everything(_ schemas: [Located]) -> [Located] {
    var parts: [Located] = []
    var pending = schemas
    var visited: Set<LocationKey> = []
    while let schema = pending.popLast(), visited.count < 64 {
      guard visited.insert(schema.key).inserted else { continue }
      let scope = navigator.scope(of: schema)
      parts += scope.parts
      pending += scope.choices.flatMap(\.branches)
    }
    return parts
  }

  /// Objects and lists become a string, everything else an object: no union of scalar types accepts that.
  private static func otherType(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object, .array: "mutant"
    default: ["mutant": true]
    }
  }

  /// True if the schema names types and the type of `value` is none of them.
  private static func refuses(_ value: JSONValue, _ schema: Located) -> Bool {
    schema.types.map { !$0.contains(value.typeName) } ?? false
  }

  private static func isEnumerated(_ schema: Located) -> Bool {
    schema.value["enum"] != nil || schema.value["const"] != nil
  }

  /// True if the schema allows the type of `value` and does not enumerate the values.
  private static func admits(_ value: JSONValue, _ schema: Located) -> Bool {
    schema.value["type"] != nil && !refuses(value, schema) && !isEnumerated(schema)
  }
}
