import MurphyModel

/// How many users share one address, as a table: homes, offices, carriers.
public struct AddressSharing: Sendable, Hashable {
  /// So many of all addresses are shared by a number of users drawn uniformly from `users`.
  public struct Row: Sendable, Hashable {
    public var share: Double
    public var users: ClosedRange<Int>

    public init(share: Double, users: ClosedRange<Int>) {
      self.share = share
      self.users = users
    }
  }

  public var rows: [Row]

  /// - Parameter rows: shares add up to any positive number.
  public init(_ rows: [Row]) { self.rows = rows }

  /// One person each.
  public static let none = AddressSharing([Row(share: 1, users: 1...1)])
  /// 85 % of addresses alone, most others households, and 0.35 % offices and carriers (ALGORITHMS.md A5).
  public static let usual = AddressSharing([
    Row(share: 0.85, users: 1...1), Row(share: 0.1465, users: 2...5), Row(share: 0.0035, users: 40...200),
  ])

  /// The address of each of `count` users.
  func addresses(for count: Int, _ random: inout RandomSource) -> [Int32] {
    var addresses: [Int32] = []
    addresses.reserveCapacity(count)
    var address: Int32 = 0
    let total = rows.reduce(0) { $0 + $1.share }
    while addresses.count < count {
      var draw = random.unit() * total
      var users = 1
      for row in rows {
        draw -= row.share
        if draw < 0 {
          users = row.users.lowerBound + Int(saturating: random.unit() * Double(row.users.count))
          break
        }
      }
      for _ in 0..<min(users, count - addresses.count) { addresses.append(address) }
      address += 1
    }
    return addresses
  }
}
