import MurphyModel

/// Which keys have no history because the target itself made their values in this run, as the token of a login.
///
/// That a value came with an answer of the run says nothing of its age: a server may hand out one long-lived token for
/// each user, which other clients have used before. A value is taken for new only if the target provably makes one for
/// each answer:
///
/// - the requests for it were equal in all but values drawn in this run (method, URL, header fields, body, source
///   address; none sent cookies), so no difference between them names another user that existed before;
/// - at least `fewest` of them were answered, and no value came twice from the same place: what is cached by user, or by
///   one of a dozen servers, repeats;
/// - they came too fast for a token that lives a second or longer: with one change of the token a second, the answers to
///   requests within [a, b] hold at most 2 + ⌊b − a⌋ different values. So tokens that all clients share for a while,
///   and those made of a user's name and a clock of whole seconds, are not taken for new;
/// - the value was answered once only, and never sent before that answer was complete.
///
/// A JSON Web Token that claims a value which was drawn in this run needs none of this (`UniqueValues.isClaimed`).
///
/// Neither the status 201 nor a recent `iat` is proof: frameworks answer each POST with 201, and a token that is cached
/// for a user may have been made for another client a moment ago. What is not proven stays a key with an unknown past.
/// The rule does not see a target that hands out old values from a store of dozens, each once.
enum CredentialKeys {
  /// Fewest answers to equal requests.
  static let fewest = 32
  /// Seconds that a value is shared for, if it is shared.
  static let shortestLife = 1.0

  static let explanation =
    "The target makes such a value for each answer: \(fewest) and more equal requests were answered with different "
    + "ones, faster than values change that clients share; or the value names what was drawn in this run."

  /// The log with the headers marked whose values are proven to be new.
  static func marked(_ log: LimitLog) -> LimitLog {
    guard !log.missesIssues, !log.issues.isEmpty else { return log }
    var moments = minted(in: log.issues)
    guard !moments.isEmpty else { return log }
    let values = log.identities.map { identity in
      identity.headers.map { words(of: $0.value).filter { moments[$0] != nil } }
    }
    for observation in log.observations {
      for value in values[Int(observation.identity)].joined() {
        if let moment = moments[value], observation.sent < moment { moments[value] = nil }
      }
    }
    var log = log
    for index in log.identities.indices {
      let names = zip(log.identities[index].headers, values[index]).filter { $1.contains { moments[$0] != nil } }
        .map(\.0.name)
      log.identities[index].issued += names.filter { !log.identities[index].issued.contains($0) }
    }
    return log
  }

  /// The values that are proven to be new, with the moment of their answer.
  static func minted(in issues: [IssuedValue]) -> [String: Instant] {
    var answers: [String: Set<Instant>] = [:]
    for issue in issues { answers[issue.value, default: []].insert(issue.answered) }
    let repeating = Set(issues.filter { answers[$0.value]?.count != 1 }.map(\.issuer))
    var groups: [[String]: [IssuedValue]] = [:]
    for issue in issues where !issue.request.isEmpty && !repeating.contains(issue.issuer) {
      groups[[issue.issuer, issue.request], default: []].append(issue)
    }
    var moments: [String: Instant] = [:]
    for group in groups.values where group.count >= fewest && isFasterThanSharing(group) {
      for issue in group { moments[issue.value] = issue.answered }
    }
    return moments
  }

  /// Whether more different values came than one that changes once in `shortestLife` can take. O(n · span).
  private static func isFasterThanSharing(_ issues: [IssuedValue]) -> Bool {
    let issues = issues.sorted { $0.sent < $1.sent }
    for first in issues.indices {
      var end = issues[first].answered
      for last in first..<min(first + 2 * fewest, issues.count) {
        end = max(end, issues[last].answered)
        let span = Double(end - issues[first].sent) / 1e9
        if Double(last - first + 1) > 2 + (span / shortestLife).rounded(.down) { return true }
      }
    }
    return false
  }

  /// The parts of a header field that a token may be: `Bearer TOKEN`, `session=TOKEN`, all of it.
  private static func words(of value: String) -> Set<String> {
    var words = Set(value.split { " =;,".contains($0) }.map(String.init))
    words.insert(value)
    return words
  }
}
