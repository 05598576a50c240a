import MurphyModel

/// A stage of the load with its times, read from the words in which the result says it.
package struct LoadStage: Sendable, Hashable {
  /// `ramp 0/s..20/s`
  package var words: String
  /// Seconds since the start.
  package var start: Double
  package var end: Double

  /// The stages one after the other; empty when any of them does not end in `for DURATION`.
  package static func read(_ load: [String]) -> [LoadStage] {
    var stages: [LoadStage] = []
    var start = 0.0
    for words in load {
      guard let mark = words.range(ofLast: " for "), let length = Quantity(String(words[mark.upperBound...])),
        length.dimension == .time
      else { return [] }
      stages.append(LoadStage(words: String(words[..<mark.lowerBound]), start: start, end: start + length.value))
      start += length.value
    }
    return stages
  }
}

extension String {
  /// Where `part` stands last.
  fileprivate func range(ofLast part: String) -> Range<String.Index>? {
    var start = endIndex
    while start >= startIndex {
      if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
      guard start > startIndex else { return nil }
      start = index(before: start)
    }
    return nil
  }
}
