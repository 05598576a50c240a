/// The rank-sum test of Mann and Whitney (1947), normal approximation without tie correction.
enum MannWhitney {
  /// Standard deviations by which the first sample ranks above what chance gives. O(n log n).
  static func score(_ first: [Double], _ second: [Double]) -> Double {
    let all = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0 < $1.0 }
    var ranks = 0.0
    var index = 0
    while index < all.count {
      var end = index + 1
      while end < all.count, all[end].0 == all[index].0 { end += 1 }
      let rank = Double(index + end + 1) / 2
      for tied in index..<end where all[tied].1 { ranks += rank }
      index = end
    }
    let n = Double(first.count)
    let m = Double(second.count)
    let u = ranks - n * (n + 1) / 2
    return (u - n * m / 2) / (n * m * (n + m + 1) / 12).squareRoot()
  }
}
