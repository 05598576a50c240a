import Foundation
import Murphy
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing

/// Shards of several machines, whose clocks differ by seconds: files of one machine, written again as if each were of another.
@Suite(.timed) struct ShardClockTests {
  /// - Parameters:
  ///   - skews: by how much the reference's clock is ahead of each machine's, seconds.
  ///   - width: between bounds so far apart that is known; nil for not at all.
  private func moved(_ files: [String], skews: [Double], width: Double?, to folder: String) throws -> [String] {
    try zip(files, skews).enumerated().map { number, shard in
      let (file, skew) = shard
      var reader = try GzipLineReader(file)
      let path = "\(folder)/moved-\(number).json.gz"
      var writer = try GzipLineWriter(path)
      while let line = try reader.line() {
        var tree = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        if var log = tree["log"] as? [String: Any], var info = log["info"] as? [String: Any],
          var shard = info["shard"] as? [String: Any], var clock = shard["clock"] as? [String: Any],
          let wall = clock["wall"] as? Int
        {
          clock["machine"] = "machine-\(number)"
          clock["monotonic"] = 1_000_000_000 * (number + 1)
          clock["wall"] = wall - Int(skew * 1e9)
          // The truth lies at another place between the bounds of each.
          let place = [0.1, 0.9, 0.5][number % 3]
          clock["bounds"] =
            width.map {
              [["reference": "chrony", "low": skew - $0 * place, "high": skew + $0 * (1 - place)] as [String: Any]]
            } ?? []
          shard["clock"] = clock
          info["shard"] = shard
          log["info"] = info
          tree["log"] = log
        }
        try writer.write(String(decoding: try JSONSerialization.data(withJSONObject: tree), as: UTF8.self))
      }
      try writer.close()
      return path
    }
  }

  @Test(arguments: [nil, "limit-plus-one"])
  func `clocks that differ are compared by their bounds`(fault: String?) async throws {
    try await withScenario(ShardedRun.oneDevice) { scenario in
      try await withTemporaryFolder { folder in
        let run = try await ShardedRun.run(scenario, in: folder, shards: 3, fault: fault)
        for (width, isComparable) in [(0.01, true), (1.5, true), (300, false), (nil, false)] as [(Double?, Bool)] {
          let files = try moved(run.files, skews: [0, 7.3, -4_000], width: width, to: folder)
          let result = try await Gate.merge(files, MergeOptions()).result
          let found = result.findings.contains { $0.kind == .limitOverAdmission }
          let shards = try #require(result.run.shards)
          // Nobody can say whether shards began together whose clocks are known so badly.
          #expect((result.verdict == .invalid) == !isComparable, "\(result.reasons)")
          #expect(shards.doubts.isEmpty == isComparable, "\(shards.doubts)")
          #expect(found == (fault != nil && isComparable), "± \(width ?? -1) s: \(result.findings.map(\.headline))")
          #expect((fault == nil) == ShardedRun.errors(of: result).isEmpty || !isComparable)
          #expect(shards.reference == width.map { _ in .chrony })
          if let width {
            #expect(abs((shards.uncertainty?.inSeconds ?? 0) - width / 2) < 0.001)
            #expect(abs((shards.shards[1].clockLow?.inSeconds ?? 0) - (7.3 - width * 0.9)) < 0.001)
          } else {
            #expect(shards.uncertainty == nil)
          }
          #expect(result.ledger.answered == 60)
        }
      }
    }
  }
}
