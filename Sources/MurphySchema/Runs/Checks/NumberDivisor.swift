/// `multipleOf`.
struct NumberDivisor {
  /// The divisor is mantissa · 10^-scale, scale ≤ 18. A mantissa of 0: only the tree can tell.
  let mantissa: UInt64
  let scale: Int
}
