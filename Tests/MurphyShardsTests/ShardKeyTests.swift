import MurphyShards
import Testing

/// The words that stand for secrets in the files of shards.
@Suite struct ShardKeyTests {
  /// By `hmac.new(sha256(b"seed 7"), b"word abc", sha256)` of Python 3.11.
  @Test func aWordIsTheHMACOfTheSecret() {
    let key = ShardKey(environment: [:], seed: 7)
    #expect(key.word(for: "abc") == "secret-9857d0e5c40308e1acf32b074adfd56e")
    #expect(key.fingerprint == "seed")
  }

  @Test func aKeyOfTheUserReplacesTheSeed() {
    let key = ShardKey(environment: [ShardKey.variable: "k"], seed: 7)
    #expect(key.word(for: "abc") == "secret-03bd20c84b6c5021b4c8f8d6ad4d6244")
    #expect(key.fingerprint == "ac975df04e2f063094d010607e45e42e")
    #expect(ShardKey(environment: [ShardKey.variable: ""], seed: 7).fingerprint == "seed")
  }

  @Test func otherTextsAndKeysHaveOtherWords() {
    let keys = (0..<4).map { ShardKey(environment: [:], seed: $0) }
    #expect(Set(keys.flatMap { key in ["", "a", "b"].map { key.word(for: $0) } }).count == 12)
  }
}
