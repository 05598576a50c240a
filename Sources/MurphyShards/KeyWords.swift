import MurphyModel

/// Puts keyed hashes in the places of secret texts that tell one client, or one thing, from another.
///
/// A mask makes all secrets alike, and then two users with tokens of their own would be one. A hash keeps them apart, and is
/// the same in all shards of a run, which have one key.
struct KeyWords {
  private let mask: SecretMask
  private let key: ShardKey

  init(_ mask: SecretMask, _ key: ShardKey) {
    self.mask = mask
    self.key = key
  }

  private func word(for text: String) -> String { key.word(for: text) }

  private func isSecret(_ text: String) -> Bool { mask.masked(text) != text }

  /// Identities without secrets, and the values that answers issued, by the same words.
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
      // A fingerprint of what was asked, credentials with it: made to depend on the run.
      if !log.issues[index].request.isEmpty { log.issues[index].request = word(for: log.issues[index].request) }
    }
    return log
  }

  /// The words of a field, each replaced by itself: `Bearer TOKEN`, `session=TOKEN`.
  private func replaced(_ field: HeaderField, _ isSecretField: Bool, _ word: (String) -> String) -> String {
    var value = ""
    var part = ""
    var isFirst = true
    func end() {
      guard !part.isEmpty else { return }
      // The scheme of `Authorization` (RFC 9110 §11.4) is no secret where something stands behind it.
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

  /// Keys, actors and values without secrets.
  func hidden(_ log: StateLog) -> StateLog {
    var log = log
    var names = StateNames()
    // A text has the number of its place, so two that became one would move all behind them.
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
