import MurphyModel
import MurphySchema
import Synchronization

/// The schemas that responses are checked against, compiled once for each mode and shared by all loops.
///
/// A site is a schema that the contract uses directly: of a media type or a header. Branches are those of `oneOf` and
/// similar keywords in all schemas that the sites reach.
package final class SchemaLibrary: Sendable {
  /// The documents that hold the schemas.
  package let sources: DocumentSet
  /// By the number of the site.
  package let sites: [Located]
  /// The number of each branch of `oneOf` and `anyOf`, by its place.
  package let branches: [LocationKey: Int]
  private let branchSites: [Located]
  private let plan = Mutex<CoveragePlan?>(nil)
  private let searched = Mutex<SchemaDocuments?>(nil)
  private let relations = Mutex<(operations: [String], found: ContractRelations)?>(nil)
  private let variants = Mutex<[SchemaVariant.Mode: SchemaVariant]>([:])

  /// - Parameter hasBranches: false to save time where no response is checked.
  init(sources: DocumentSet, sites: [Located], hasBranches: Bool) {
    self.sources = sources
    self.sites = sites
    branchSites = hasBranches ? SchemaSurvey(sources).branches(from: sites) : []
    branches = Dictionary(branchSites.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The documents, searched for identifiers on first use.
  var documents: SchemaDocuments {
    searched.withLock { searched in
      if let known = searched { return known }
      let new = SchemaDocuments(sources)
      searched = new
      return new
    }
  }

  /// The program of a mode. It is compiled on first use, which is slow for large documents.
  package func variant(_ mode: SchemaVariant.Mode) -> SchemaVariant {
    variants.withLock { variants in
      if let known = variants[mode] { return known }
      let variant = SchemaVariant(
        mode, documents, sites: sites, branches: mode.isStrict ? [] : branchSites)
      variants[mode] = variant
      return variant
    }
  }

  /// A program for responses that has an entry for each of these schemas, too.
  func variant(sampling samples: [Located]) -> SchemaVariant {
    SchemaVariant(SchemaVariant.Mode(), documents, sites: sites, branches: branchSites, samples: samples)
  }

  /// The relations of a contract with these schemas. Contracts that share the schemas may have other operations.
  func relations(_ contract: Contract) -> ContractRelations {
    let operations = contract.operations.map { "\($0.method) \($0.path)" }
    return relations.withLock { relations in
      if let relations, relations.operations == operations { return relations.found }
      let new = ContractRelations(contract)
      relations = (operations, new)
      return new
    }
  }

  /// The coverage items of response bodies; listed on first use.
  func coveragePlan(_ contract: Contract) -> CoveragePlan {
    plan.withLock { plan in
      if let known = plan { return known }
      let new = CoveragePlan(contract)
      plan = new
      return new
    }
  }
}

/// Finds all schemas that other schemas reach: every branch of `oneOf`, `anyOf` and conditions.
struct SchemaSurvey {
  private let navigator: SchemaNavigator

  init(_ sources: DocumentSet) { navigator = SchemaNavigator(sources) }

  /// The branches of all choices that `schemas` reach, each once, in the order of first occurrence.
  func branches(from schemas: [Located]) -> [Located] {
    var branches: [Located] = []
    var visited: Set<LocationKey> = []
    var pending = Array(schemas.reversed())
    while let schema = pending.popLast() {
      guard visited.insert(schema.key).inserted else { continue }
      let scope = navigator.scope(of: schema)
      for choice in scope.choices {
        branches += choice.branches.filter { !visited.contains($0.key) }
        pending += choice.branches
      }
      for part in scope.parts { pending += Self.children(of: part) }
    }
    return branches
  }

  /// The schemas of a schema's members and items.
  static func children(of part: Located) -> [Located] {
    var children: [Located] = []
    for keyword in ["properties", "patternProperties"] { children += (part[keyword]?.members ?? []).map(\.located) }
    for keyword in [
      "items", "additionalItems", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains",
    ] {
      guard let child = part[keyword] else { continue }
      children += child.value.array == nil ? [child] : child.items
    }
    return children + (part["prefixItems"]?.items ?? [])
  }
}

/// The documents of a contract as the compiler reads them. The search of a large document takes longer than the
/// compilation of a few of its schemas, so all variants share one.
struct SchemaDocuments: Sendable {
  let sources: DocumentSet
  let registry: SchemaRegistry
  let problems: [SchemaError]

  init(_ sources: DocumentSet) {
    // Files that no reference names are not open, and are not fetched now.
    var registry = SchemaRegistry { _ in nil }
    var problems: [SchemaError] = []
    for (index, document) in sources.documents.enumerated() {
      do throws(SchemaError) {
        try registry.add(
          DiscriminatorView.view(of: document.value), uri: document.uri, dialect: sources.dialect(of: index))
      } catch {
        problems.append(error)
      }
    }
    (self.sources, self.registry, self.problems) = (sources, registry, problems)
  }
}

/// The schemas of all sites as one program.
package struct SchemaVariant: Sendable {
  /// The options with which the schemas are compiled.
  package struct Mode: Hashable, Sendable {
    /// True if `format` rejects values, and does not only describe them.
    package var formatAssertion = true
    /// Objects may contain documented members only.
    package var isStrict = false
    /// Properties that are only for the other direction are handled as OpenAPI defines.
    package var direction = SchemaOptions.Direction.response
  }

  /// One entry for each site.
  package let program: SchemaProgram
  /// By site; nil for a schema that cannot be compiled.
  package let entries: [SchemaEntry?]
  /// By branch of the library.
  package let branchEntries: [SchemaEntry?]
  /// By schema that is only sampled.
  let sampleEntries: [SchemaEntry?]
  /// The mistakes in the schemas. Values that these schemas apply to are unchecked.
  package let problems: [SchemaError]

  /// - Parameter samples: schemas whose mistakes are not among the problems.
  init(
    _ mode: Mode, _ documents: SchemaDocuments, sites: [Located], branches: [Located], samples: [Located] = []
  ) {
    let sources = documents.sources
    var problems = documents.problems
    var options = SchemaOptions()
    options.formatAssertion = mode.formatAssertion
    options.direction = mode.direction
    options.invalidKeywords = .unchecked
    options.wording = { sources.diagnostic($0, severity: .warning).reason }
    options.rejectsUndocumentedProperties = mode.isStrict
    let compiler = SchemaCompiler(registry: documents.registry, options: options)
    func compile(_ site: Located) -> SchemaEntry? {
      do throws(SchemaError) {
        return try compiler.compile(uri: sources.documents[site.document].uri, pointer: site.pointer)
      } catch {
        problems.append(error)
        return nil
      }
    }
    entries = sites.map(compile)
    branchEntries = branches.map(compile)
    self.problems = problems + compiler.problems
    sampleEntries = samples.map(compile)
    program = compiler.finish()
  }
}
