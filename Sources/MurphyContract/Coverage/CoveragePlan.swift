/// The catalogs of all bodies of a contract, shared by all judges.
package struct CoveragePlan: Sendable {
  /// More items of bodies than this are not listed, so that a contract of thousands of operations stays small.
  private static let itemLimit = 20_000

  /// By operation, response and media type; nil where a body has nothing to show.
  package let catalogs: [[[CoverageCatalog?]]]

  init(_ contract: Contract) {
    let library = contract.schemas
    let navigator = SchemaNavigator(library.sources)
    var left = Self.itemLimit
    var known: [LocationKey: CoverageCatalog] = [:]
    catalogs = contract.operations.map { operation in
      operation.responses.map { response in
        response.content.map { media in
          guard left > 0, media.range.admitsJSON, let schema = media.schema?.located else { return nil }
          let key = navigator.target(of: schema).key
          let catalog = known[key] ?? CatalogBuilder.catalog(schema, library, navigator)
          known[key] = catalog
          left -= catalog.items.count
          return catalog.items.isEmpty || left < 0 ? nil : catalog
        }
      }
    }
  }
}
