import Foundation
import Murphy
import TestSupport
import Testing

/// What a shard writes for the merge holds no secret, and still tells clients apart.
@Suite(.timed) struct ShardSecretTests {
  private static let scenario = ShardedRun.oneDevice.replacing(
    "client: { headers: { X-Device-ID: 6f9619ff-8b86-4d01-b42d-00cf4fc964ff } }",
    with: """
      client: { headers: { X-Device-ID: 6f9619ff-8b86-4d01-b42d-00cf4fc964ff, Authorization: "Bearer ${env(SHARD_TOKEN)}", X-Api-Key: "key-of-${seq()}-Zx81qq" } }
      """
  ).replacing(
    "limits:\n", with: "limits:\n    getLaw: { allow: 60, per: 60s, key: Authorization }\n")

  @Test func `secrets stay out of the file`() async throws {
    let token = "tok-4711-never-to-be-seen"
    try await withScenario(Self.scenario) { scenario in
      try await withTemporaryFolder { folder in
        let run = try await ShardedRun.run(
          scenario, in: folder, shards: 2, fault: "fractional-count", environment: ["SHARD_TOKEN": token])
        for file in run.files {
          let text = try await Command("/bin/zcat", [file]).run().output
          #expect(text.contains("\"head\"") && text.contains("\"end\""))
          #expect(!text.contains(token) && !text.contains("never-to-be-seen"))
          #expect(!text.contains("Zx81qq"), "the value of a field whose name is secret")
          #expect(!text.contains(Data(token.utf8).base64EncodedString().prefix(20)))
          #expect(text.contains("secret-"), "a keyed hash stands in its place")
        }
        let result = try await Gate.merge(run.files, MergeOptions()).result
        #expect(result.verdict == .fail)
        #expect(!(try ResultFile.encode(result)).contains(token))
        // A group is put together without a second word for a word.
        var kept = MergeOptions()
        kept.keepsShards = true
        try await Gate.merge([run.files[0]], kept).write(to: folder + "/group.gz")
        let grouped = try await Gate.merge([folder + "/group.gz", run.files[1]], MergeOptions()).result
        #expect(grouped.limits.map(\.keys) == result.limits.map(\.keys))
        // Shards whose words come from another key are of another run.
        let keyed = try await ShardedRun.run(
          scenario, in: folder + "/keyed", shards: 2, fault: "fractional-count",
          environment: ["SHARD_TOKEN": token, "MURPHY_SHARD_KEY": "of-this-run-alone"])
        let whole = try await Gate.merge(keyed.files, MergeOptions()).result
        #expect(whole.limits.map(\.keys) == result.limits.map(\.keys))
        let refusal = await #expect(throws: GateError.self) {
          try await Gate.merge([run.files[0], keyed.files[1]], MergeOptions())
        }
        #expect("\(String(describing: refusal))".contains("MURPHY_SHARD_KEY"))
        // All sessions are one device, whatever their keys: the hashes do not make more of it.
        let votes = try #require(result.limits.first { $0.name == "votes" })
        #expect(votes.keys == 1 && votes.admitted == 30, "\(votes)")
      }
    }
  }
}
