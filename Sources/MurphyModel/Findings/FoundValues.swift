/// What a step of a scenario expects of its answer.
public struct StepExpectation: Sendable, Codable, Hashable {
  public var session: String
  /// The step's number in its session, from 1 in each list of steps: `3`, `3.else.1`.
  public var step: String
  /// Where the expectation stands in the scenario.
  public var source: SourceMark
  /// `status 200`, `$.limit to be 25`, as the scenario writes it.
  public var expected: String

  public init(session: String, step: String, source: SourceMark, expected: String) {
    self.session = session
    self.step = step
    self.source = source
    self.expected = expected
  }
}

/// The values behind one finding, each with how often it was found. Bounded: the rest is one number.
public struct FoundValues: Sendable, Codable, Hashable {
  public struct Value: Sendable, Codable, Hashable {
    /// Masked, and cut to a length that fits a line.
    public var text: String
    public var count: Int

    public init(text: String, count: Int) {
      self.text = text
      self.count = count
    }
  }

  /// Most frequent first.
  public var values: [Value]
  /// Occurrences with any other value.
  public var others: Int

  public init(values: [Value], others: Int = 0) {
    self.values = values
    self.others = others
  }

  /// `500`, or `201 (21 times), 500 (15 times) and other values (3 times)`.
  public var sentence: String {
    if values.count == 1, others == 0 { return values[0].text }
    let shown = values.prefix(Self.inSentence).map { "\($0.text) (\(Self.times($0.count)))" }.joined(separator: ", ")
    let rest = values.dropFirst(Self.inSentence).reduce(others) { $0 + $1.count }
    return rest == 0 ? shown : "\(shown) and other values (\(Self.times(rest)))"
  }

  /// The most that a sentence names; the result holds a few more.
  private static let inSentence = 5

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
