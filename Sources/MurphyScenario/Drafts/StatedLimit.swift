import MurphyContract
import MurphyModel

/// A limit that only a description states: "at most 60 requests per minute and client address".
package struct StatedLimit {
  package let allow: Int
  package let window: Duration
  /// `address` or `token`.
  package let key: String

  /// Nil if the contract has the limit in a form that runs check, or if the 429 and its headers describe none.
  package init?(_ operation: Contract.Operation) {
    guard operation.documentedLimits.allSatisfy({ $0.allow == nil }),
      let text = operation.responses.first(where: { $0.status == .exactly(429) })?.text,
      let match = text.firstMatch(
        of: /([1-9][0-9]{0,6}) ?(?:requests|calls|times|attempts)? ?(?:per|a|an|every|\/) ?(second|minute|hour|day)/
          .ignoresCase()),
      let allow = Int(match.1)
    else { return nil }
    self.allow = allow
    switch match.2.lowercased() {
    case "second": window = .seconds(1)
    case "hour": window = .seconds(3600)
    case "day": window = .seconds(86_400)
    default: window = .seconds(60)
    }
    let isByAddress = text.firstMatch(of: /\b(?:ip|address|addresses|host)\b/.ignoresCase()) != nil
    key = isByAddress || operation.isOpen ? "address" : "token"
  }

  /// `60s`, as in the limits of a scenario.
  package var per: String { "\(window.components.seconds)s" }

  /// `20 requests in 60s`
  package var text: String { "\(allow) requests in \(per)" }
}
