import CPCRE2

/// What a pattern takes out of a text.
public enum RegexCapture: Sendable, Hashable {
  /// The first group of the first match, or all of the match where the pattern has no group.
  case found(String)
  /// Nothing matches, or the group took no part in the match.
  case none
  /// Backtracking went beyond the bound: the answer is unknown.
  case limitExceeded
}

extension ECMAPattern {
  /// What the first group of the first match holds; all of the match where the pattern has no group.
  public func capture(in text: String, _ scratch: RegexScratch) -> RegexCapture {
    var text = text
    return text.withUTF8 { bytes in
      switch matches(UnsafeRawBufferPointer(bytes), scratch) {
      case .no: return .none
      case .limitExceeded: return .limitExceeded
      case .yes:
        guard let range = scratch.range(of: hasGroups ? 1 : 0) else { return .none }
        return .found(String(decoding: bytes[range], as: UTF8.self))
      }
    }
  }
}

extension RegexScratch {
  /// Where a group of the last match stands, in bytes; nil where it took no part.
  fileprivate func range(of group: Int) -> Range<Int>? {
    guard let places = pcre2_get_ovector_pointer_8(matchData) else { return nil }
    let (start, end) = (places[2 * group], places[2 * group + 1])
    // PCRE2_UNSET is -1 here; a `\K` in a look-ahead could end before it starts.
    return start >= 0 && end >= start ? start..<end : nil
  }
}
