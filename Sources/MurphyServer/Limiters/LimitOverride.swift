/// A limit given on the command line: `voteLaw=30/60s`, with `:burst=10` for a token bucket.
package struct LimitOverride: Sendable, Equatable {
  /// The counters it is for.
  package var policies: [LimitPolicyName]
  package var allowance: Int
  /// Nanoseconds, before the time scale.
  package var window: Int64
  package var burst: Int?

  /// Parses `NAME=COUNT/WINDOW[:burst=COUNT]`. NAME is a policy, an operation or `reads`; WINDOW is a number of `ms`,
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
    policies = try Self.policies(named: String(sides[0]))
  }

  private static func policies(named name: String) throws(ServerError) -> [LimitPolicyName] {
    if name == "reads" { return LimitPolicyName.allCases.filter(\.isRead) }
    if let policy = LimitPolicyName(rawValue: name) { return [policy] }
    if let operation = Operation(rawValue: name) { return [operation.policy] }
    let known = LimitPolicyName.allCases.map(\.rawValue) + Operation.allCases.map(\.rawValue) + ["reads"]
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
