/// One of the `minimum` and `maximum` keywords.
struct NumberBound {
  let value: Double
  let isLower: Bool
  let isExclusive: Bool
  /// The bound has so few digits that its double stands for it alone.
  let isShort: Bool
}
