import MurphyScenario
import MurphySchema

/// Requests that RFC 3986 and RFC 9110 define, next to the same request without the difference.
extension OperationCases {
  func exchanges() -> [ExploreCase] {
    guard operation.method == "GET" else { return [] }
    return spellings()
  }

  /// Other spellings of the path.
  private func spellings() -> [ExploreCase] {
    var all: [(PathSpelling, String, ExchangeRule?)] = [
      (.encodedSegment, "a percent-encoded letter in the path", .sameResource(isValue: false)),
      (.slash, "a slash at the end of the path", nil), (.letterCase, "the path in the other letter case", nil),
    ]
    if operation.path.contains("{") {
      all.insert(
        (.encodedValue, "a percent-encoded letter or digit of a path parameter", .sameResource(isValue: true)), at: 0)
    }
    return all.map { spelling, about, rule in
      let one = made(.anything, .negative, "path spelling", "spelling", about) {
        $0.spelling = spelling
        $0.isOffContract = true
      }
      return rule.map { one.compared(with: call, by: $0) } ?? one
    }
  }
}
