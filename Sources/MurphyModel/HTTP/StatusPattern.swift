/// A set of statuses: `404`, `4XX`, `200..204`.
package struct StatusPattern: Sendable, Hashable {
  /// All valid statuses (RFC 9110 §15).
  package static let all = 100...599

  /// The lowest and the highest status of the set.
  package var range: ClosedRange<Int>

  package init(_ range: ClosedRange<Int>) { self.range = range }

  /// Reads `404`, `4XX` (also `4xx`) or `200..204`; nil for anything else.
  package init?(_ text: String) {
    if text.utf8.count == 3, text.uppercased().hasSuffix("XX") {
      guard let hundred = text.first?.wholeNumberValue, (1...5).contains(hundred) else { return nil }
      self.init(hundred * 100...hundred * 100 + 99)
      return
    }
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(Self.status)
    guard let first = ends[0], ends.count <= 2, let last = ends.last ?? nil, first <= last else { return nil }
    self.init(first...last)
  }

  private static func status(_ text: Substring) -> Int? {
    guard text.utf8.count == 3, let number = Int(text), all.contains(number) else { return nil }
    return number
  }

  /// `404`, `4XX` or `200..204`.
  package var text: String {
    if range.count == 1 { return "\(range.lowerBound)" }
    if range.lowerBound.isMultiple(of: 100), range.count == 100 { return "\(range.lowerBound / 100)XX" }
    return "\(range.lowerBound)..\(range.upperBound)"
  }

  package func matches(_ status: Int) -> Bool { range.contains(status) }
}
