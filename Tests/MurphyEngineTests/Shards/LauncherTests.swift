import MurphyEngine
import Testing

/// Which shard a process is, by the variables of those who start several.
@Suite struct LauncherTests {
  private func shard(_ environment: [String: String]) throws -> String? {
    try Launcher.shard(environment).map { "\($0.number)/\($0.of)" }
  }

  @Test func `every engine names its processes`() throws {
    #expect(try shard(["SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_STEP_ID": "0", "SLURM_JOB_ID": "12"]) == "1/4")
    #expect(try shard(["SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_STEP_ID": "0"]) == "4/4")
    #expect(try shard(["JOB_COMPLETION_INDEX": "9", "MURPHY_SHARDS": "10"]) == "10/10")
    #expect(try shard(["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"]) == "1/3")
    #expect(try shard(["OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"]) == "2/2")
    #expect(try shard(["PMI_RANK": "1", "PMI_SIZE": "8"]) == "2/8")
    #expect(try shard(["MURPHY_SHARD_INDEX": "2", "MURPHY_SHARDS": "3", "GITHUB_RUN_ID": "5"]) == "3/3")
  }

  @Test func `a process that is alone is a whole run`() throws {
    #expect(try shard([:]) == nil)
    #expect(try shard(["CI_NODE_TOTAL": "1", "CI_NODE_INDEX": "1"]) == "1/1")
    #expect(try shard(["SLURM_PROCID": "0", "SLURM_NTASKS": "4"]) == nil, "a batch script is no task of its job")
    #expect(try shard(["CI_NODE_INDEX": ""]) == nil)
  }

  @Test func `mpirun in a slurm job counts`() throws {
    let both = [
      "SLURM_PROCID": "0", "SLURM_NTASKS": "2", "SLURM_STEP_ID": "0", "OMPI_COMM_WORLD_RANK": "5",
      "OMPI_COMM_WORLD_SIZE": "8",
    ]
    #expect(try shard(both) == "6/8")
  }

  @Test(arguments: [
    ["JOB_COMPLETION_INDEX": "2"], ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"],
    ["CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "3"], ["PMI_RANK": "one", "PMI_SIZE": "2"],
    ["PMI_RANK": "-1", "PMI_SIZE": "2"], ["PMI_RANK": "1", "PMI_SIZE": "99999999999999999999"],
  ])
  func `a number that makes no sense is a sentence`(environment: [String: String]) throws {
    let error = #expect(throws: ShardError.self) { try Launcher.shard(environment) }
    #expect(error?.description.contains("--shard 1/1") == true)
  }

  @Test(arguments: ["", "1", "0/3", "4/3", "1/0", "a/b", "1/3/3", "-1/3", "1/1000000", " 1/3"])
  func `what is no shard is rejected`(text: String) {
    let error = #expect(throws: ShardError.self) { try ShardChoice(text) }
    #expect(error?.description.contains("K/N") == true)
  }

  @Test func `the common seed is that of the job or the start`() throws {
    var one = try ShardChoice("1/3")
    var other = try ShardChoice("3/3")
    #expect(one.common("seed") == nil)
    (one.job, other.job) = ("GitLab 17", "GitLab 17")
    #expect(one.common("seed") == other.common("seed"))
    #expect(one.common("seed") != one.common("salt"))
    other.job = "GitLab 18"
    #expect(one.common("seed") != other.common("seed"))
    (one.start, other.start) = (StartTime(nanoseconds: 5), StartTime(nanoseconds: 5))
    #expect(one.common("seed") == other.common("seed"), "a start is common to all, and to this run alone")
    #expect(try #require(one.common("seed")) < 1 << 53)
  }
}

/// The words that stand for secrets in the files of shards.
@Suite struct ShardKeyTests {
  /// By `hmac.new(sha256(b"seed 7"), b"word abc", sha256)` of Python 3.11.
  @Test func `a word is the HMAC of the secret`() {
    let key = ShardKey(environment: [:], seed: 7)
    #expect(key.word(for: "abc") == "secret-9857d0e5c40308e1acf32b074adfd56e")
    #expect(key.fingerprint == "seed")
  }

  @Test func `a key of the user replaces the seed`() {
    let key = ShardKey(environment: [ShardKey.variable: "k"], seed: 7)
    #expect(key.word(for: "abc") == "secret-03bd20c84b6c5021b4c8f8d6ad4d6244")
    #expect(key.fingerprint == "ac975df04e2f063094d010607e45e42e")
    #expect(ShardKey(environment: [ShardKey.variable: ""], seed: 7).fingerprint == "seed")
  }

  @Test func `other texts and keys have other words`() {
    let keys = (0..<4).map { ShardKey(environment: [:], seed: $0) }
    #expect(Set(keys.flatMap { key in ["", "a", "b"].map { key.word(for: $0) } }).count == 12)
  }
}
