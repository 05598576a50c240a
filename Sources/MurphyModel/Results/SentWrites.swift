import Foundation

/// The writes that murphy sent to a target while it drafted or explored.
package struct SentWrites: Sendable, Codable, Hashable {
  /// One request that may have changed data.
  package struct Write: Sendable, Codable, Hashable {
    /// The operationId.
    package var operation: String
    /// The HTTP method.
    package var method: String
    /// Percent-encoded, without the query.
    package var path: String
    /// 0 without a response.
    package var status: Int
    /// The identifier from the response; nil for none.
    package var item: String?

    package init(operation: String, method: String, path: String, status: Int, item: String?) {
      (self.operation, self.method, self.path) = (operation, method, path)
      (self.status, self.item) = (status, item)
    }
  }

  /// The number of times that an operation had a status.
  package struct Total: Sendable, Codable, Hashable {
    /// The operationId.
    package var operation: String
    /// The HTTP method.
    package var method: String
    /// The status of the response.
    package var status: Int
    /// The number of requests with this status.
    package var count: Int
  }

  /// The first writes, in the order in which they were sent.
  package private(set) var list: [Write] = []
  /// The totals of all writes, including those that are not in the list.
  package private(set) var totals: [Total] = []
  /// A longer list would not help readers.
  private static let most = 1_000

  package init() {}

  /// The number of all writes, kept or not.
  package var count: Int { totals.reduce(0) { $0 + $1.count } }
  /// Writes that are not in the list.
  package var rest: Int { count - list.count }

  /// Adds one write to the totals.
  package mutating func recordWrite(_ write: Write) {
    let place = totals.firstIndex {
      $0.operation == write.operation && $0.method == write.method && $0.status == write.status
    }
    if let place {
      totals[place].count += 1
    } else {
      totals.append(Total(operation: write.operation, method: write.method, status: write.status, count: 1))
    }
    if list.count < Self.most { list.append(write) }
  }

  /// Operations whose responses 201 to POST named the same item twice.
  package var repeating: Set<String> {
    var seen: Set<String> = []
    let twice = list.filter { write in
      let path = write.path.removingPercentEncoding ?? write.path
      // A server may reuse the name of a deleted item.
      if write.method == "DELETE", (200..<300).contains(write.status) { seen.remove(path) }
      guard write.method == "POST", write.status == 201, let item = write.item else { return false }
      return !seen.insert(path + (path.hasSuffix("/") ? "" : "/") + item).inserted
    }
    return Set(twice.map(\.operation))
  }

  /// The same without secrets.
  package func masked(by mask: SecretMask) -> SentWrites {
    var copy = self
    for index in copy.list.indices {
      copy.list[index].path = mask.masked(list[index].path)
      copy.list[index].item = list[index].item.map(mask.masked)
    }
    return copy
  }

  /// Lines for people: the totals of each operation, and the identifiers of created items.
  package var lines: [String] {
    guard count > 0 else { return [] }
    var operations: [String] = []
    for total in totals where !operations.contains(total.operation) { operations.append(total.operation) }
    let rows = operations.prefix(Self.mostRows).map { operation in
      let own = totals.filter { $0.operation == operation }
      let counts = own.map { "\($0.count) × \($0.method) \($0.status == 0 ? "without a response" : String($0.status))" }
      var items: [String] = []
      for write in list where write.operation == operation {
        if let item = write.item, !items.contains(item) { items.append(item) }
      }
      let shown = items.prefix(Self.mostItems).joined(separator: ", ")
      // Items of writes beyond the list are not counted.
      let isWhole = own.reduce(0) { $0 + $1.count } == list.count { $0.operation == operation }
      let rest = items.count - Self.mostItems
      let more = isWhole ? (rest > 0 ? " and \(rest) more" : "") : " and others"
      return "\(operation): \(counts.joined(separator: ", "))" + (items.isEmpty ? "" : "; created \(shown)\(more)")
    }
    let rest = operations.count - rows.count
    return ["Murphy sent \(count) write request\(count == 1 ? "" : "s") to the target:"] + rows
      + (rest > 0 ? ["write requests of \(rest) more operation\(rest == 1 ? "" : "s")"] : [])
  }

  private static let mostRows = 20
  private static let mostItems = 5
}
