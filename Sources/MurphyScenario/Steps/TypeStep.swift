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
