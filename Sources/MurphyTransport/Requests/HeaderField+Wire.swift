import MurphyModel

extension HeaderField {
  /// The value as it may go over the wire: a line break would begin another header and becomes a space.
  var safeValue: String {
    guard value.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { return value }
    return String(decoding: value.utf8.map { $0 == 10 || $0 == 13 || $0 == 0 ? 32 : $0 }, as: UTF8.self)
  }
}
