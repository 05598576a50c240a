import Foundation
import Murphy
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing

/// Files of shards that were written by something else: whole gzip, and JSON that says what no shard says.
@Suite struct ShardFileFuzzTests {
  private func lines(of file: String) throws -> [[UInt8]] {
    var reader = try GzipLineReader(file)
    var lines: [[UInt8]] = []
    while let line = try reader.line() { lines.append(line) }
    return lines
  }

  private func write(_ lines: [String], to file: String) throws {
    var writer = try GzipLineWriter(file)
    for line in lines { try writer.write(line) }
    try writer.close()
  }

  /// What a value is replaced by.
  private static var strange: [Any] {
    [
      0, -1, 1, 2_147_483_647, -2_147_483_648, 4_294_967_296, 9_007_199_254_740_993, Int.max, Int.min, 1e300, -1e300,
      0.5,
      "", "x", "AAAA", "////////////fw==", "gICAgICAgICAgAE=", "AQID", true, [], [1, 2, 3], [String: Any](), NSNull(),
      "\u{0}", String(repeating: "A", count: 400),
    ]
  }

  private final class Mutator {
    var random: RandomSource
    var left: Int

    init(_ random: RandomSource, at place: Int) {
      self.random = random
      left = place
    }

    func change(_ value: Any) -> Any {
      left -= 1
      if left == 0 {
        return ShardFileFuzzTests.strange[Int(saturating: random.unit() * Double(ShardFileFuzzTests.strange.count))]
      }
      if var object = value as? [String: Any] {
        for key in object.keys.sorted() {
          object[key] = change(object[key]!)
          if left == 0, random.unit() < 0.15 {
            object[key] = nil
            left = -1
          }
        }
        return object
      }
      if let list = value as? [Any] { return list.map(change) }
      return value
    }
  }

  private func size(of value: Any) -> Int {
    if let object = value as? [String: Any] { return 1 + object.values.reduce(0) { $0 + size(of: $1) } }
    if let list = value as? [Any] { return 1 + list.reduce(0) { $0 + size(of: $1) } }
    return 1
  }

  /// Each is an error in a sentence or a result whose account is told; never a crash or a hang.
  @Test func `what no shard writes is an error or a run`() async throws {
    let seed = ProcessInfo.processInfo.environment["MURPHY_FUZZ_SEED"].flatMap(UInt64.init) ?? 27
    print("MURPHY_FUZZ_SEED=\(seed)")
    var random = RandomSource(seed: seed)
    var (refused, taken) = (0, 0)
    try await withScenario(ShardedRun.oneDevice) { scenario in
      try await withTemporaryFolder { folder in
        let run = try await ShardedRun.run(scenario, in: folder, shards: 2, fault: "undocumented-status")
        let whole = try lines(of: run.files[1])
        let trees = try whole.map { try JSONSerialization.jsonObject(with: Data($0)) }
        let file = folder + "/strange.json.gz"
        for _ in 0..<250 {
          // Lines are picked alike, or the tables of one would get all changes.
          let place = Int(saturating: random.unit() * Double(trees.count))
          let mutator = Mutator(random, at: 2 + Int(saturating: random.unit() * Double(size(of: trees[place]) - 1)))
          var changed = trees
          changed[place] = mutator.change(trees[place])
          random = mutator.random
          let texts = try changed.map { tree in
            guard JSONSerialization.isValidJSONObject(tree) else { return "\(tree)" }
            return String(decoding: try JSONSerialization.data(withJSONObject: tree), as: UTF8.self)
          }
          try write(texts, to: file)
          do {
            _ = try ResultFile.encode(try await Gate.merge([run.files[0], file], MergeOptions()).result)
            taken += 1
          } catch let error as GateError {
            refused += 1
            #expect(
              error.description.contains("strange.json.gz") || error.description.contains("do not match"), "\(error)")
          }
        }
      }
    }
    print("refused \(refused), taken \(taken)")
    #expect(refused > 100 && taken > 10, "the changes meet what is read")
  }

  /// The places of numbers; `#` stands for all elements of a list.
  private func places(_ value: Any, _ place: [String] = []) -> Set<[String]> {
    if let object = value as? [String: Any] {
      return object.reduce(into: []) { $0.formUnion(places($1.value, place + [$1.key])) }
    }
    if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(places($1, place + ["#"])) } }
    return value is NSNumber || value is Int || value is Double ? [place] : []
  }

  /// The value with another number at a place.
  private func replaced(_ value: Any, at place: ArraySlice<String>, by number: Int) -> Any {
    guard let name = place.first else { return number }
    if let list = value as? [Any] {
      return name == "#" ? list.map { replaced($0, at: place.dropFirst(), by: number) } : list
    }
    guard var object = value as? [String: Any], let inner = object[name] else { return value }
    object[name] = replaced(inner, at: place.dropFirst(), by: number)
    return object
  }

  /// Each is an error or a result; never a crash or a hang. Servers choose the costs.
  @Test(arguments: [-1, 999_999_999_999_999, 1_000_000_000_000_000_000])
  func `no number of a shard is trusted`(_ number: Int) async throws {
    let text = ShardedRun.oneDevice.replacing("key: X-Device-ID", with: "key: X-Device-ID, cost: \"${path.id}\"")
    #expect(text != ShardedRun.oneDevice)
    try await withScenario(text) { scenario in
      try await withTemporaryFolder { folder in
        let run = try await ShardedRun.run(scenario, in: folder, shards: 2)
        let trees = try lines(of: run.files[1]).map { try JSONSerialization.jsonObject(with: Data($0)) }
        let all = places(trees).filter { $0.count > 1 }
        #expect(all.contains { $0.suffix(3) == ["costs", "#", "path.id"] } && all.count > 50)
        let file = folder + "/strange.json.gz"
        for place in all {
          let changed = try trees.map { tree in
            String(
              decoding: try JSONSerialization.data(withJSONObject: replaced(tree, at: place.dropFirst(), by: number)),
              as: UTF8.self)
          }
          try write(changed, to: file)
          do {
            _ = try ResultFile.encode(try await Gate.merge([run.files[0], file], MergeOptions()).result)
            #expect(!place.contains("costs"), "\(place)")
          } catch let error as GateError {
            #expect(
              error.description.contains("strange.json.gz") || error.description.contains("do not match"), "\(error)")
          }
        }
      }
    }
  }

  @Test func `lines that are missing or twice are errors`() async throws {
    try await withScenario(ShardedRun.oneDevice) { scenario in
      try await withTemporaryFolder { folder in
        let run = try await ShardedRun.run(scenario, in: folder, shards: 2)
        let whole = try lines(of: run.files[1]).map { String(decoding: $0, as: UTF8.self) }
        let file = folder + "/strange.json.gz"
        for index in whole.indices {
          for lines in [
            Array(whole[..<index] + whole[(index + 1)...]), Array(whole[...index] + whole[index...]),
          ] {
            try write(lines, to: file)
            let error = await #expect(throws: GateError.self, "line \(index)") {
              try await Gate.merge([run.files[0], file], MergeOptions())
            }
            #expect(error?.description.contains("strange.json.gz") == true, "\(String(describing: error))")
          }
        }
        for text in ["", "{}", "null", "[]", "{\"head\":", String(repeating: "[", count: 100_000)] {
          try write([text], to: file)
          await #expect(throws: GateError.self) { try await Gate.merge([run.files[0], file], MergeOptions()) }
        }
      }
    }
  }
}
