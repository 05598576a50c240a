import MurphyModel

extension HeaderField {
  /// The value as it may go over the wire: a line break would begin another header and becomes a space.
  var safeValue: String {
    guard value.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { return value }
    return String(decoding: value.utf8.map { $0 == 10 || $0 == 13 || $0 == 0 ? 32 : $0 }, as: UTF8.self)
  }
}

extension String {
  /// Equal without regard to ASCII case, without allocating; `lowercased` is in lower case already.
  func isHeader(_ lowercased: StaticString) -> Bool {
    guard utf8.count == lowercased.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in utf8 {
      let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      if lower != lowercased.utf8Start[index] { return false }
      index += 1
    }
    return true
  }
}
