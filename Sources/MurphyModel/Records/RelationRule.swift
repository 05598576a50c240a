/// What holds between a request and its answer, or between two answers, wherever a contract's shapes show it.
///
/// The raw value is the name in scenarios, in results and, behind `relation.`, of the finding. docs/relations.md says
/// what each of them asks for and when it is silent.
package enum RelationRule: String, Sendable, Codable, Hashable, CaseIterable {
  /// No more items than the request asks for.
  case pageSize = "page-size"
  /// The page's own `limit`, `offset` and `page` are those of the request.
  case echo
  /// The total is at least what the page shows, and the same on all pages.
  case total
  /// The number of the last page follows from the total.
  case lastPage = "last-page"
  /// A page before the last one is full.
  case shortPage = "short-page"
  /// No item on two pages, or twice on one.
  case repeats
  /// Every item is on some page.
  case skips
  /// Sorted as asked.
  case order
  /// Every item has the value that was asked for.
  case filter
  /// Two filters together give no more than each alone.
  case filtersTogether = "filters-together"
  /// The item asked for is the item that comes back.
  case identity
  /// Every answer goes to the request that it belongs to.
  case exchanged
  /// What is listed below a thing belongs to it.
  case parent
  /// The number of things that an item tells of is the number listed below it.
  case counts
  /// A search finds less than all.
  case search
  /// Cursors lead through everything, and to an end.
  case cursor
  /// An item reads the same in the list and by itself.
  case listItem = "list-vs-item"
  /// Links lead to the page that they name.
  case next
  /// One strong entity tag, one content.
  case etag
  /// A request with the current entity tag is answered 304.
  case notModified = "not-modified"
  /// HEAD is GET without a body.
  case head
  /// What was created can be read at its `Location`.
  case location
  /// `Allow` names the methods that work.
  case allow
  /// `Vary` names what the representation depends on.
  case vary

  /// The kind of its findings. A test holds that each rule has one.
  package var kind: FindingKind {
    guard let kind = FindingKind(rawValue: "relation." + rawValue) else {
      preconditionFailure("no kind for \(rawValue)")
    }
    return kind
  }

  /// What it promises, for a row of a report: `sorted as asked`.
  package var promise: String {
    switch self {
    case .pageSize: "no more items than asked for"
    case .echo: "limit, offset and page come back as asked"
    case .total: "the total fits the pages and does not change by itself"
    case .lastPage: "the last page follows from the total"
    case .shortPage: "pages before the last are full"
    case .repeats: "no item comes twice"
    case .skips: "pages leave nothing out"
    case .order: "sorted as asked"
    case .filter: "every item has the value asked for"
    case .filtersTogether: "two filters give no more than each alone"
    case .identity: "the item asked for comes back"
    case .exchanged: "each answer goes to its own request"
    case .parent: "what is listed below a thing belongs to it"
    case .counts: "counts of an item are those of its lists"
    case .search: "a search finds less than all"
    case .cursor: "cursors lead through everything, to an end"
    case .listItem: "an item reads the same in the list and by itself"
    case .next: "links lead to the page that they name"
    case .etag: "one strong ETag, one content"
    case .notModified: "the current ETag is answered 304"
    case .head: "HEAD is GET without a body"
    case .location: "what was created can be read at its Location"
    case .allow: "Allow names the methods that work"
    case .vary: "Vary names what the representation depends on"
    }
  }
}
