import MurphyModel

extension StateViolation {
  /// The value in a response, and the possible values.
  package var sentence: String {
    switch fact {
    case .count(let counted, let shown, let possible):
      let what = counted == .both ? "" : " \(counted.rawValue)"
      if possible.upperBound == .max {
        return "a response shows \(shown.text)\(what), expected at least \(possible.lowerBound.text)"
      }
      return possible.lowerBound == possible.upperBound
        ? "a response shows \(shown.text)\(what), expected \(possible.lowerBound.text)"
        : "a response shows \(shown.text)\(what), expected \(possible.lowerBound.text) to \(possible.upperBound.text)"
    case .countWentBack(let from, let to):
      return "a response shows \(to) although one before it showed \(from), and nothing lowers the count"
    case .countMissing: return "no time between the responses fits an increment that was accepted"
    case .countTooHigh(let shown): return "a response shows \(shown), which is more than was sent by then"
    case .versionStep(let based, let given):
      return "a change that was based on version \(based) got version \(given), and not \(based + 1)"
    case .versionTwice(let version): return "two changes got version \(version)"
    case .versionBack(let shown, let after):
      return "version \(shown) was shown or used as a base although version \(after) had been confirmed before"
    case .versionContents(let version): return "version \(version) has two contents"
    case .versionUnwritten(let version): return "version \(version) was shown, and no client wrote it"
    case .versionRefused(let version):
      return "a change based on version \(version) was rejected although that version was current throughout"
    case .valueStale: return "a response shows a value that had been replaced before it was requested"
    case .valueUnwritten: return "a response shows a value that no client had written by then"
    case .valuesCross: return "two values each appear before and after the other"
    case .noOrder: return "no order of the writes explains the responses"
    case .itemTwice: return "two creations returned the same id"
    case .itemEarly: return "it was shown or deleted before its creation was sent"
    case .itemReturned: return "it was shown after its deletion was confirmed"
    case .itemMissing: return "it was created and not deleted, and a response lacks it"
    case .itemUnknown(let shown, let possible):
      return "a list shows \(shown.text) items that no client is known to have created; only \(possible.text) "
        + "could exist"
    case .listContradicts: return "one list shows items that never existed at the same time"
    case .itemForeign: return "a list of another user shows it"
    case .itemRepeated: return "its creation and another one with the same idempotency key returned two ids"
    case .ticketCount(let messages, let tickets):
      return "\(messages) messages were sent, and \(tickets) tickets were returned"
    case .ticketOrder(let place): return "the ticket at place \(place) does not belong to the message at that place"
    case .ticketTwice: return "two tickets have the same id"
    case .receiptMissing: return "a ticket had no receipt when one was due"
    case .receiptUnasked: return "a receipt was received that was not requested"
    case .receiptWrong: return "a receipt does not have the outcome that its message requires"
    case .receiptChanged: return "a ticket's receipt changed between two requests"
    case .batchRepeated: return "one message that was sent twice with its idempotency key got two tickets"
    case .sessionBack(let shown, let known):
      return "a session was shown \(shown) although it had written or read \(known) before"
    case .formula(let shown):
      return "the formula does not hold\(shown.map { " for a response that shows \($0)" } ?? "")"
    }
  }

  /// A possible explanation; nil if none of the tried ones applies.
  package var causeSentence: String? {
    switch cause {
    case nil: nil
    case .refusedCounted: "One explanation: rejected writes were counted."
    case .repeatsCounted: "One explanation: every action was counted, also repeated ones."
    case .repeatsKept: "One explanation: a second vote of the same kind did not revoke the first."
    case .repeatsTakenBack: "One explanation: a second vote of the same kind revoked the first."
    case .changesOnlyAdd: "One explanation: a changed vote was counted without removing the old one."
    case .removalsIgnored: "One explanation: removals were confirmed and not executed."
    case .lost(nil): "One explanation: one accepted write was lost."
    case .lost: "One explanation: one accepted write, the one marked as lost, was lost."
    }
  }
}
