import CCrypto

/// The key of the words that stand for secrets in the files of one run's shards: HMAC-SHA-256 (RFC 2104), by the
/// library that libcurl uses for TLS.
///
/// Without a key of the user the run's seed is one. The seed is in the file, so a secret that can be guessed can be found
/// by trying guesses. With a key that is not in the file it cannot.
package struct ShardKey: Sendable {
  /// Of the environment: a text that only the shards of a run know.
  package static let variable = "MURPHY_SHARD_KEY"

  /// Tells keys apart; the same in all shards of a run.
  package let fingerprint: String
  private let key: [UInt8]

  /// - Parameter environment: may have the key of the user; an empty one is none.
  package init(environment: [String: String], seed: UInt64) {
    let given = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    let text = Array((given.map { "key " + $0 } ?? "seed \(seed)").utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    precondition(ccrypto_sha256(text, text.count, &digest) == 1, "OpenSSL has no SHA-256")
    key = digest
    fingerprint = given == nil ? "seed" : Self.code("fingerprint", key)
  }

  /// The same for the same text and key: 128 bits as hexadecimal digits.
  package func word(for text: String) -> String { "secret-" + Self.code("word " + text, key) }

  private static func code(_ text: String, _ key: [UInt8]) -> String {
    let text = Array(text.utf8)
    var code = [UInt8](repeating: 0, count: 32)
    precondition(ccrypto_hmac_sha256(key, key.count, text, text.count, &code) == 1, "OpenSSL has no HMAC-SHA-256")
    return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
