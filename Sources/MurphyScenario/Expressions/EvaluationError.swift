/// Why a value could not be computed. The session that needed it ends, with this as its reason.
package enum EvaluationError: Error, Sendable, Hashable {
  /// The name was never saved: the answer that should have held it did not, or was refused.
  case unset(String)
  /// It reads the last answer, and none came before.
  case noAnswer(String)
  /// The last answer holds nothing there: a query that finds no node, a header that did not come.
  case nothing(String)
  /// The value depends on the run itself, as `now()` does, and there is no run.
  case notKnownYet(String)
  case wrongType(String)
  case outOfRange(String)
  /// A text or list grew over its bound.
  case tooLarge(String)

  /// For people, and for counting equal reasons: holds no values of one session.
  package var text: String {
    switch self {
    case .unset(let name): "\(name) was never saved"
    case .noAnswer(let name): "\(name) reads the last answer, and no answer came before"
    case .notKnownYet(let name): "\(name) is known only in a run"
    case .nothing(let message), .wrongType(let message), .outOfRange(let message), .tooLarge(let message): message
    }
  }
}
