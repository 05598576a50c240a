import CCrypto
import MurphyModel

/// Replaces secret strings by keyed hashes where they distinguish one client, or one resource, from another.
///
/// A mask makes all secrets equal, and then two users with different tokens would be one. A hash keeps them different.
/// It is the same in all shards of a run, which have one key.
struct SecretPseudonymizer {
  let mask: SecretMask
  let key: ShardKey

  private func word(for text: String) -> String { key.word(for: text) }

  private func isSecret(_ text: String) -> Bool { mask.masked(text) != text }

  /// Identities without secrets, and the values that responses issued, with the same words.
  func hidden(_ log: LimitLog) -> LimitLog {
    var log = log
    let issued = Set(log.issues.map(\.value))
    var known: [String: String] = [:]
    func hidden(_ text: String, whole isSecretField: Bool) -> String {
      if let known = known[text], isSecretField || issued.contains(text) { return known }
      guard isSecretField || issued.contains(text) || isSecret(text) else { return text }
      let word = word(for: text)
      known[text] = word
      return word
    }
    for index in log.identities.indices {
      log.identities[index].headers = log.identities[index].headers.map { field in
        let isSecretField = log.secretHeaders.contains(field.name) || mask.isSecret(headerNamed: field.name)
        return HeaderField(field.name, replaced(field, isSecretField) { hidden($0, whole: isSecretField) })
      }
    }
    for index in log.issues.indices {
      log.issues[index].value = hidden(log.issues[index].value, whole: true)
      // A fingerprint of the request, including credentials: made to depend on the run.
      if !log.issues[index].request.isEmpty { log.issues[index].request = word(for: log.issues[index].request) }
    }
    return log
  }

  /// The words of a field, each replaced separately: `Bearer TOKEN`, `session=TOKEN`.
  private func replaced(_ field: HeaderField, _ isSecretField: Bool, _ word: (String) -> String) -> String {
    var value = ""
    var part = ""
    var isFirst = true
    func end() {
      guard !part.isEmpty else { return }
      // The scheme of `Authorization` (RFC 9110 §11.4) is public if more text follows it.
      let isScheme = isFirst && field.name == "authorization" && field.value.contains(" ")
      value += isScheme ? part : word(part)
      part = ""
      isFirst = false
    }
    for letter in field.value {
      if " =;,".contains(letter) {
        end()
        value.append(letter)
      } else {
        part.append(letter)
      }
    }
    end()
    return value
  }

  /// Replaces secrets in keys, actors and values.
  func hidden(_ log: StateLog) -> StateLog {
    var log = log
    var names = StateNames()
    // A string has the number of its position. If two became equal, all later ones would move.
    for (number, text) in log.names.texts.enumerated() {
      let shown = isSecret(text) ? word(for: text) : text
      if names.number(of: shown) != Int32(number) { _ = names.number(of: "\(shown) \(number)") }
    }
    log.names = names
    for index in log.gaps.indices {
      log.gaps[index].keysLeftOut = Set(log.gaps[index].keysLeftOut.map { isSecret($0) ? word(for: $0) : $0 })
    }
    return log
  }
}

/// The key of the words that replace secrets in the files of one run's shards: HMAC-SHA-256 (RFC 2104), by the library
/// that libcurl uses for TLS.
///
/// Without a key of the user, the run's seed is the key. The seed is in the file, so a guessable secret can be found by
/// trial. With a key that is not in the file, this is impossible.
package struct ShardKey: Sendable {
  /// The environment variable of the key: a string that only the shards of a run have.
  package static let variable = "MURPHY_SHARD_KEY"

  /// Identifies a key; the same in all shards of a run.
  package let fingerprint: String
  private let key: [UInt8]

  /// - Parameter environment: may contain the key of the user; an empty one counts as none.
  package init(environment: [String: String], seed: UInt64) {
    let given = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    let text = Array((given.map { "key " + $0 } ?? "seed \(seed)").utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    precondition(ccrypto_sha256(text, text.count, &digest) == 1, "OpenSSL has no SHA-256")
    key = digest
    fingerprint = given == nil ? "seed" : Self.code("fingerprint", key)
  }

  /// Equal for the same text and key: 128 bits as hexadecimal digits.
  package func word(for text: String) -> String { "secret-" + Self.code("word " + text, key) }

  private static func code(_ text: String, _ key: [UInt8]) -> String {
    let text = Array(text.utf8)
    var code = [UInt8](repeating: 0, count: 32)
    precondition(ccrypto_hmac_sha256(key, key.count, text, text.count, &code) == 1, "OpenSSL has no HMAC-SHA-256")
    return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
