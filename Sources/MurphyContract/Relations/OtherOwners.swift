/// Items of one answer that belong to another thing than the one that was asked for.
///
/// An item may belong to several things and name only one of them, as a call between two people; so only an answer all of
/// whose items name the same other thing says something.
struct OtherOwners {
  private(set) var count = 0
  /// Items that name what they belong to.
  private(set) var named = 0
  private(set) var other: Int64?
  private var isMixed = false

  /// - Parameter named: what an item belongs to; nil where it does not tell.
  mutating func note(_ named: Int64?, asked: Int64) {
    if named != nil { self.named += 1 }
    guard let named, named != asked, other == nil || other == named else {
      isMixed = true
      return
    }
    other = named
    count += 1
  }

  /// Whether all items of an answer with `rows` of them name one other thing.
  func isOfOneOther(_ rows: Int) -> Bool { count > 0 && count == rows && !isMixed }
}
