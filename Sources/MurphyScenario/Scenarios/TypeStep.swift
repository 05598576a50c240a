import MurphyModel

/// A person typing into a search field, key by key. Only a pause sends a request.
package struct TypeStep: Sendable {
  /// The effect of a request on an earlier one that is still in flight.
  package enum Newer: String, Sendable, CaseIterable {
    /// The older one is cancelled on the wire.
    case cancels
    /// The newer one waits for the response to the older one.
    case waits
    /// Both are in flight.
    case overlaps
  }

  package var text: Template
  /// The time between two keys, generated for each.
  package var every: DurationValue
  /// The pause after which a request is sent; zero sends on every key.
  package var debounce: Duration
  package var newer: Newer
  /// The minimum number of typed characters for a request.
  package var atLeast: Int
  /// The request; `typed` in it is the text so far.
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
    /// The time at which it is due, nanoseconds after the typing began.
    package var due: Int64
    /// The text at that time.
    package var typed: String
  }

  /// The maximum bytes that one step types: the text so far is stored for each key.
  package static let longestText = 10_000

  /// The requests that typing `text` sends: a pure function of the generated values.
  ///
  /// Key i is typed at tᵢ = Σ gaps. Its request is due at tᵢ + debounce if no other key is typed before that time. The
  /// last key always sends a request. It takes one value of the stream for any text.
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
