import MurphyModel

/// A person typing into a search field, key by key; only a pause sends a request.
package struct TypeStep: Sendable {
  /// What a request does to the one before it that is still in flight.
  package enum Newer: String, Sendable, CaseIterable {
    /// The older one is cancelled on the wire.
    case cancels
    /// The newer one waits for the older one's answer.
    case waits
    /// Both are in flight.
    case overlaps
  }

  package var text: Template
  /// From one key to the next, drawn for each.
  package var every: DurationValue
  /// The pause that sends; zero sends on every key.
  package var debounce: Duration
  package var newer: Newer
  /// Fewer typed characters than this send nothing.
  package var atLeast: Int
  /// What is sent; `typed` in it is the text so far.
  package var call: Call

  package init(
    text: Template, every: DurationValue, debounce: Duration = .zero, newer: Newer = .cancels, atLeast: Int = 1,
    call: Call
  ) {
    self.text = text
    self.every = every
    self.debounce = debounce
    self.newer = newer
    self.atLeast = atLeast
    self.call = call
  }
}

extension TypeStep {
  /// A request that typing sends.
  package struct Query: Sendable, Hashable {
    /// When it is due, nanoseconds after the typing began.
    package var due: Int64
    /// The text at that moment.
    package var typed: String
  }

  /// Bytes that one step types: each key's text so far is kept.
  package static let longestText = 10_000

  /// The requests that typing `text` sends: a pure function of the draws.
  ///
  /// Key i falls at tᵢ = Σ gaps; its request is due at tᵢ + debounce if no other key falls before that,
  /// which the last key's always is. Takes one value of the stream, whatever the text.
  package func queries(
    typing text: String, in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> [Query] {
    guard text.utf8.count <= Self.longestText else {
      throw .tooLarge("a person types at most \(Self.longestText) bytes")
    }
    var keys: [(at: Int64, typed: String)] = []
    var at: Int64 = 0
    var stream = RandomSource(seed: random.next())
    var typed = ""
    for character in text {
      at += try every.evaluate(in: &scope, random: &stream)
      typed.append(character)
      keys.append((at, typed))
    }
    let pause = debounce.nanoseconds
    return keys.indices.compactMap { index in
      let key = keys[index]
      guard index - keys.startIndex + 1 >= atLeast else { return nil }
      let isPause = index == keys.endIndex - 1 || keys[index + 1].at - key.at >= pause
      return isPause ? Query(due: key.at + pause, typed: key.typed) : nil
    }
  }
}
