/// The value of `If-Match` or `If-None-Match` (RFC 9110, section 13.1).
struct Condition {
  var value: String

  /// Whether the book's entity tag is among those of the value; only the weak comparison takes weak tags.
  func holds(_ book: Book, weakly: Bool) -> Bool {
    if value == "*" { return true }
    return value.split(separator: ",").contains { part in
      var tag = part.drop { $0 == " " || $0 == "\t" }
      if weakly, tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      while tag.last == " " || tag.last == "\t" { tag.removeLast() }
      return tag == book.entityTag
    }
  }
}
