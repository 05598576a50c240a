import MurphyModel
import MurphySchema

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
  /// The mistakes in the schemas. Values that these schemas apply to are unchecked.
  package let problems: [SchemaError]

  init(_ mode: Mode, sources: DocumentSet, sites: [Located], branches: [Located]) {
    // Files that no reference names are not open, and are not fetched now.
    let registry = SchemaRegistry { _ in nil }
    var problems: [SchemaError] = []
    for (index, document) in sources.documents.enumerated() {
      do throws(SchemaError) {
        try registry.add(
          DiscriminatorView.view(of: document.value), uri: document.uri, dialect: sources.dialect(of: index))
      } catch {
        problems.append(error)
      }
    }
    var options = SchemaOptions()
    options.formatAssertion = mode.formatAssertion
    options.direction = mode.direction
    options.invalidKeywords = .unchecked
    options.rejectsUndocumentedProperties = mode.isStrict
    let compiler = SchemaCompiler(registry: registry, options: options)
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
    program = compiler.finish()
    self.problems = problems + compiler.problems
  }
}
