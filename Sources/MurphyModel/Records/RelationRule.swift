/// A relation between a request and its response, or between two responses, wherever a contract's shapes define it.
///
/// The raw value is the name in scenarios and in results; with the prefix `relation.` it is the kind of the finding.
/// docs/relations.md describes the requirement of each relation and when it reports nothing.
package enum RelationRule: String, Sendable, Codable, Hashable, CaseIterable {
  /// The response has no more items than the request allows.
  case pageSize = "page-size"
  /// The `limit`, `offset` and `page` of the response are those of the request.
  case echo
  /// The total is at least the number of items on the page, and the same on all pages.
  case total
  /// The number of the last page follows from the total.
  case lastPage = "last-page"
  /// A page before the last one is full.
  case shortPage = "short-page"
  /// No item is on two pages, or twice on one.
  case repeats
  /// Every item is on some page.
  case skips
  /// The list is sorted as requested.
  case order
  /// Every item has the requested value.
  case filter
  /// Two filters together return no more than each alone.
  case filtersTogether = "filters-together"
  /// The requested item is the returned item.
  case identity
  /// Every response belongs to its request.
  case exchanged
  /// Items listed below a resource belong to it.
  case parent
  /// The number of resources in an item is the number listed below it.
  case counts
  /// A search finds fewer items than the whole list.
  case search
  /// Cursors lead through all items, and to an end.
  case cursor
  /// An item has the same values in the list and when requested alone.
  case listItem = "list-vs-item"
  /// Links lead to the page that they name.
  case next
  /// Equal strong entity tags mean equal content.
  case etag
  /// The response to a request with the current entity tag is 304.
  case notModified = "not-modified"
  /// HEAD returns the same as GET without a body.
  case head
  /// A created resource can be read at its `Location`.
  case location
  /// `Allow` names the methods that work.
  case allow
  /// `Vary` names the headers on which the representation depends.
  case vary

  /// The kind of its findings. A test checks that each rule has one.
  package var kind: FindingKind {
    guard let kind = FindingKind(rawValue: "relation." + rawValue) else {
      preconditionFailure("no kind for \(rawValue)")
    }
    return kind
  }

  /// The requirement, for a row of a report: `items are sorted as requested`.
  package var promise: String {
    switch self {
    case .pageSize: "a page has no more items than requested"
    case .echo: "limit, offset and page in a response are the requested values"
    case .total: "the total matches the pages and does not change without a write"
    case .lastPage: "the number of the last page matches the total"
    case .shortPage: "all pages before the last page are full"
    case .repeats: "no item is listed twice"
    case .skips: "pages omit no items"
    case .order: "items are sorted as requested"
    case .filter: "every item has the value that a filter requests"
    case .filtersTogether: "two filters together return no more items than each filter alone"
    case .identity: "the requested item is returned"
    case .exchanged: "concurrent requests do not get each other's responses"
    case .parent: "a nested list contains only items of its parent resource"
    case .counts: "a count in an item matches the list that it counts"
    case .search: "a search returns fewer items than no search"
    case .cursor: "following the cursors returns all items and then ends"
    case .listItem: "an item has equal values in a list and in its own response"
    case .next: "pagination links lead to the page that they name"
    case .etag: "equal strong ETags mean equal content"
    case .notModified: "a request with the current ETag gets 304"
    case .head: "HEAD returns the same as GET, without a body"
    case .location: "a created resource can be read at its Location"
    case .allow: "Allow names the methods that work"
    case .vary: "Vary names the request headers on which the content depends"
    }
  }
}

/// One relation of one operation: whether it was checked, and its result.
public struct RelationRow: Sendable, Codable, Hashable {
  /// The result.
  public enum Status: String, Sendable, Codable, Hashable, CaseIterable {
    /// Some response could have broken it, and none did.
    case kept
    case broken
    /// The contract defines it, but nothing in this run could have broken it.
    case untested
    /// The contract does not define it, or the scenario switches it off.
    case off
  }

  /// The operationId.
  public var operation: String
  /// The relation's name, as in the scenario: `page-size`.
  package var relation: String
  /// The requirement, for people.
  public var promise: String
  /// The result.
  public private(set) var outcome: Status
  /// Why it is on, off or untested: the part of the contract or the scenario that decides it.
  package var reason: String
  /// The number of trials: responses, or pairs of them, that could have broken it.
  package private(set) var samples: Int
  /// Fingerprints of the findings that explain why it is broken.
  public var findings: [String] = []

  package init(
    operation: String, relation: String, promise: String, outcome: Status, reason: String, samples: Int,
    findings: [String] = []
  ) {
    self.operation = operation
    self.relation = relation
    self.promise = promise
    self.outcome = outcome == .kept && Trials(samples) == nil ? .untested : outcome
    self.reason = reason
    self.samples = samples
    self.findings = findings
  }
}
