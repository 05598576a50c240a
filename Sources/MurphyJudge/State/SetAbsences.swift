/// Counts the whole lists of one owner by the times of sends and responses. So a list that lacks an element is found
/// without a scan of all of them.
struct SetAbsences {
  /// By send, ascending.
  private let lists: [SetHistory.Sight]
  private let members: [Int: Set<Int32>]
  /// The ends of each block of lists, ascending.
  private let blocks: [[Int64]]
  private static let size = 256

  init(_ lists: [SetHistory.Sight], members: [Int: Set<Int32>]) {
    let lists = lists.sorted { ($0.span.from, $0.index) < ($1.span.from, $1.index) }
    self.lists = lists
    self.members = members
    blocks = stride(from: 0, to: lists.count, by: Self.size).map { start in
      lists[start..<min(start + Self.size, lists.count)].map(\.span.until).sorted()
    }
  }

  /// A list that was sent after `after`, answered before `before`, and lacks the element.
  func first(of item: SetHistory.Item, key: Int32, after: Int64, before: Int64) -> SetHistory.Sight? {
    let showing = Set(item.shown.filter { $0.span.from > after && $0.span.until < before }.map(\.index))
      .filter { members[$0] != nil }
    let start = firstSent(after: after)
    guard count(from: start, before: before) > showing.count else { return nil }
    return lists[start...].first { $0.span.until < before && !(members[$0.index]?.contains(key) ?? false) }
  }

  /// The number of lists that were sent after a time.
  func count(after moment: Int64) -> Int { lists.count - firstSent(after: moment) }

  private func firstSent(after moment: Int64) -> Int { lists.prefixCount { $0.span.from <= moment } }

  /// The number of lists from that index on that were answered before then.
  private func count(from start: Int, before: Int64) -> Int {
    guard start < lists.count else { return 0 }
    let block = (start + Self.size - 1) / Self.size
    let head = lists[start..<min(block * Self.size, lists.count)].count { $0.span.until < before }
    return blocks.dropFirst(block).reduce(head) { $0 + $1.prefixCount { $0 < before } }
  }
}
