import MurphyModel

/// Which shard of a run a process makes, and what all shards must agree on.
package struct ShardChoice: Sendable, Hashable {
  /// From 1.
  package var number: Int
  package var of: Int
  /// Where that was read: `--shard`, or variables of the environment.
  package var origin: String
  /// The start of all shards.
  package var start: StartMoment?
  /// Equal in all shards, and different from run to run: the number of a job.
  package var job: String?

  package init(number: Int, of: Int, origin: String, job: String? = nil) {
    self.number = number
    self.of = of
    self.origin = origin
    self.job = job
  }

  package static let most = 100_000

  /// Reads `K/N`.
  ///
  /// - Throws: what is wrong with it, and what is expected.
  package init(_ text: String) throws(ShardError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let of = parts[1], 1...Self.most ~= of, 1...of ~= number else {
      throw ShardError(
        "--shard takes K/N, shard K of N, with K from 1 to N and N up to \(Self.most), found \"\(text)\"")
    }
    self.init(number: number, of: of, origin: "--shard")
  }

  /// What all shards draw their seed or their salt from where none is given; nil where nothing is common to them alone.
  package func common(_ purpose: String) -> UInt64? {
    guard let text = start.map({ String($0.nanoseconds) }) ?? job else { return nil }
    // Below 2^53, so that every JSON reader gives it back exactly; never 0.
    return UInt64(Finding.fingerprint(of: [purpose, text]), radix: 16).map { $0 >> 11 | 1 }
  }
}
