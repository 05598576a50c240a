import MurphyModel

extension RunInfo {
  /// What became of setup and teardown, a sentence for each; their requests stand in no other count.
  package var fixtures: [String] {
    [("Setup", setup), ("Teardown", teardown)].compactMap { name, fixture in
      fixture.map { "\(name): \($0.sentence)" }
    }
  }
}

extension RunResult {
  /// What clients did not send, for they had the answer; nil where they sent everything.
  package var sparedSentence: String? {
    let spared = operations.filter { ($0.spared ?? 0) > 0 }
    guard !spared.isEmpty else { return nil }
    let sum = spared.reduce(0) { $0 + ($1.spared ?? 0) }
    let most = spared.sorted { ($1.spared ?? 0) < ($0.spared ?? 0) }.prefix(5)
      .map { "\($0.operation) \(Figure.count($0.spared ?? 0).text)" }.joined(separator: ", ")
    return
      "\(counted(sum, "request")) \(sum == 1 ? "was" : "were") not sent, for the client had the answer (`cache:` and "
      + "`dedupe:`): \(most)\(spared.count > 5 ? " and others" : ""). They stand in no other count."
  }
}

extension FixtureResult {
  /// `3 requests in 120 ms, counted nowhere else.`
  fileprivate var sentence: String {
    let end = failed.map { "It failed: \($0)." } ?? "It came to its end."
    return "\(counted(requests, "request")) in \(Figure.seconds(duration).text), counted nowhere else. \(end)"
  }
}
