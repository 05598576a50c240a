import MurphyModel

extension RandomSource {
  /// Uniform in 0..<count, from exactly one value of the stream whatever the count (Lemire 2019 without
  /// rejection: the bias is below count / 2⁶⁴).
  package mutating func index(below count: Int) -> Int {
    count <= 1 ? Int(next() & 0) : Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
