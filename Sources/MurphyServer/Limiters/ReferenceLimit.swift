/// A limit of a reference API: `extension ReferenceLimit { static let votes = … }` is in the folder of its system.
package struct ReferenceLimit: Hashable, Sendable {
  /// `votes`, as in `--limit votes=30/60s`.
  package let name: String
  /// Requests per window and client.
  package let allowance: Int
  /// Nanoseconds.
  package let window: Int64
  /// The counted items, for the message of a rejection.
  let noun: String
  /// True if `--limit reads=…` applies to it.
  let isRead: Bool

  /// - Parameter seconds: the length of a window.
  package init(
    _ name: String, allow allowance: Int, per seconds: Int64 = 60, noun: String = "requests", isRead: Bool = false
  ) {
    self.name = name
    self.allowance = allowance
    window = seconds * 1_000_000_000
    self.noun = noun
    self.isRead = isRead
  }
}

/// A limit given on the command line: `voteLaw=30/60s`, with `:burst=10` for a token bucket.
package struct LimitOverride: Sendable, Equatable {
  /// The name on the command line.
  package var name: String
  /// The limits to which it applies, of any system.
  package var limits: [ReferenceLimit]
  package var allowance: Int
  /// Nanoseconds, before the time scale.
  package var window: Int64
  /// Nil for an algorithm without a burst.
  package var burst: Int?

  /// Parses `NAME=COUNT/WINDOW[:burst=COUNT]`. NAME is a limit, an operation or `reads`; WINDOW is a number of `ms`,
  /// `s`, `m` or `h`.
  package init(parsing text: String) throws(ServerError) {
    let malformed = ServerError("limit \"\(text)\" is not of the form voteLaw=30/60s or voteLaw=30/60s:burst=10")
    let sides = text.split(separator: "=", maxSplits: 1)
    guard sides.count == 2 else { throw malformed }
    let parts = sides[1].split(separator: ":", maxSplits: 1)
    let fraction = parts[0].split(separator: "/", maxSplits: 1)
    guard fraction.count == 2, let allowance = Int(fraction[0]), allowance > 0, allowance <= 1_000_000,
      let window = Self.window(fraction[1])
    else { throw malformed }
    self.allowance = allowance
    self.window = window
    if parts.count == 2 {
      let option = parts[1].split(separator: "=", maxSplits: 1)
      guard option.count == 2, option[0] == "burst", let burst = Int(option[1]), burst > 0, burst <= 1_000_000 else {
        throw malformed
      }
      self.burst = burst
    }
    name = String(sides[0])
    limits = try Self.limits(named: name)
  }

  private static func limits(named name: String) throws(ServerError) -> [ReferenceLimit] {
    let apis = ReferenceAPI.all
    let found = apis.flatMap { $0.limits(named: name) }
    guard found.isEmpty else { return found }
    let known = apis.flatMap { $0.limits.map(\.name) + $0.operations.map(\.name) } + ["reads"]
    throw ServerError(unknown: "limit", name, among: known)
  }

  private static func window(_ text: Substring) -> Int64? {
    let units: [(String, Double)] = [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9)]
    for (unit, length) in units where text.hasSuffix(unit) {
      guard let count = Double(text.dropLast(unit.count)), count > 0, count * length <= 86400e9 else { return nil }
      return Int64(count * length)
    }
    return nil
  }
}

extension ReferenceAPI {
  /// The limits of its operations, each once.
  package var limits: [ReferenceLimit] {
    var seen: Set<ReferenceLimit> = []
    return operations.compactMap(\.limit).filter { seen.insert($0).inserted }
  }

  /// The limits of this name, of the operation of this name, or of all `reads`.
  func limits(named name: String) -> [ReferenceLimit] {
    if name == "reads" { return limits.filter(\.isRead) }
    let direct = limits.filter { $0.name == name }
    return direct.isEmpty ? operations.first { $0.name == name }.flatMap(\.limit).map { [$0] } ?? [] : direct
  }

  /// - Throws: for an override of another system's limit.
  func check(_ overrides: [LimitOverride]) throws(ServerError) {
    for override in overrides where !override.limits.contains(where: limits.contains) {
      throw ServerError(
        "\(name) has no limit \"\(override.name)\". There are: \(limits.map(\.name).joined(separator: ", ")).")
    }
  }
}
