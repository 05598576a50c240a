/// Consecutive elements of a pool.
struct Slice {
  var start: Int32 = 0
  var count: Int32 = 0

  @inline(__always)
  var range: Range<Int> { Int(start)..<Int(start + count) }
}
