/// Addresses 127.x.y.z that requests come from, one after another.
///
/// A test system on this machine that counts by address gives each of them a quota of its own. What earlier explorations
/// have used may still be used up, so the first one is drawn.
struct SourceAddresses {
  /// Operations that a new address did not help.
  var useless: Set<Int> = []
  private(set) var count = 0
  private let first = Int.random(in: 0..<60_000)

  private static let most = 5_000

  /// - Returns: `127.0.0.2` … `127.0.249.251`; nil for an operation that they do not help, and when all are used.
  mutating func next(for operation: Int) -> String? {
    guard !useless.contains(operation), count < Self.most else { return nil }
    let number = first + count
    count += 1
    return "127.0.\(number / 250 % 250).\(number % 250 + 2)"
  }
}
