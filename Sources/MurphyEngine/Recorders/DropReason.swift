import MurphyModel

/// Why a planned request was never sent.
enum DropReason: Hashable, Sendable, Codable {
  /// Murphy came to it only when the load was over.
  case loadOver
  /// The user's connections were all waiting for answers until the load was over.
  case noFreeConnection
  /// The user waits for the answer before, and that had not come when the load was over.
  case answerBefore
  /// More users at once than murphy may have.
  case tooManyUsers(limit: Int)
  case feedEnded
  case unableToBegin(String)

  /// Whose doing it is that the request got no answer.
  var cause: CensoringCause {
    switch self {
    case .noFreeConnection, .answerBefore: .unsentApi
    case .loadOver, .tooManyUsers, .feedEnded, .unableToBegin: .unsentMurphy
    }
  }

  /// For want of room in murphy, not because the run ended or the scenario says so.
  var isForWantOfRoom: Bool { if case .tooManyUsers = self { true } else { false } }

  /// The ledger's words.
  var text: String {
    switch self {
    case .loadOver: "the load was over"
    case .noFreeConnection: "the load was over before the user had a free connection"
    case .answerBefore: "the load was over before the answer came that the user waited for"
    case .tooManyUsers(let limit): "more than \(limit) users at once"
    case .feedEnded: "a feed has ended"
    case .unableToBegin(let reason): "a session cannot begin: \(reason)"
    }
  }
}

extension [DropReason: Int] {
  mutating func merge(_ other: [DropReason: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    var texts: [String: Int] = [:]
    for (reason, count) in self { texts.count(reason.text, count) }
    return texts.reasons
  }
}
