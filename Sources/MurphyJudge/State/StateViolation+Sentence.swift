import MurphyModel

extension StateViolation {
  /// The value in a response, and the possible values.
  package var sentence: String {
    switch fact {
    case .count(let counted, let shown, let possible):
      let what = counted == .both ? "" : " \(counted.rawValue)"
      if possible.upperBound == .max {
        return "a response shows \(shown)\(what); at least \(possible.lowerBound) were certain by then"
      }
      return possible.lowerBound == possible.upperBound
        ? "a response shows \(shown)\(what); only \(possible.lowerBound) was possible"
        : "a response shows \(shown)\(what); between \(possible.lowerBound) and \(possible.upperBound) were possible"
    case .countWentBack(let from, let to):
      return "a response shows \(to) though one before it showed \(from), and nothing lowers the count"
    case .countMissing: return "the responses leave no moment for an increment that was accepted"
    case .countTooHigh(let shown): return "a response shows \(shown), which is more than was sent by then"
    case .versionStep(let based, let given):
      return "a change that was based on version \(based) was given version \(given), and not \(based + 1)"
    case .versionTwice(let version): return "version \(version) was given to two changes"
    case .versionBack(let shown, let after):
      return "version \(shown) was shown or built on though version \(after) had been answered before"
    case .versionContents(let version): return "version \(version) has two contents"
    case .versionUnwritten(let version): return "version \(version) was shown, and nobody wrote it"
    case .versionRefused(let version):
      return "a change based on version \(version) was refused though that version was current throughout"
    case .valueStale: return "a response shows a value that had been replaced before it was asked for"
    case .valueUnwritten: return "a response shows a value that nobody had written by then"
    case .valuesCross: return "two values were each there before and after the other"
    case .noOrder: return "no order of the writes explains what the responses show"
    case .itemTwice: return "two creations were answered with the same id"
    case .itemEarly: return "it was shown or deleted before its creation was sent"
    case .itemReturned: return "it was shown after its deletion was answered"
    case .itemMissing: return "it was created and not deleted, and a response lacks it"
    case .itemUnknown(let shown, let possible):
      return "a list shows \(shown) things that nobody is known to have created; \(possible) were possible"
    case .listContradicts: return "one list shows things that were never there at the same time"
    case .itemForeign: return "a list of another user shows it"
    case .itemRepeated: return "its creation and another one with the same idempotency key were answered with two ids"
    case .ticketCount(let messages, let tickets):
      return "\(messages) messages were sent, and \(tickets) tickets came back"
    case .ticketOrder(let place): return "the ticket at place \(place) does not belong to the message at that place"
    case .ticketTwice: return "one id was given to two tickets"
    case .receiptMissing: return "a ticket had no receipt when one was due"
    case .receiptUnasked: return "a receipt came that was not asked for"
    case .receiptWrong: return "a receipt does not say what must become of its message"
    case .receiptChanged: return "a ticket's receipt said one thing, and another when it was asked for again"
    case .batchRepeated: return "one message that was sent twice with its idempotency key got two tickets"
    case .sessionBack(let shown, let known):
      return "a session was shown \(shown) though it had written or read \(known) before"
    case .formula(let shown):
      return "the formula does not hold\(shown.map { " for a response that shows \($0)" } ?? "")"
    }
  }

  /// A possible explanation; nil if none of the tried ones applies.
  package var causeSentence: String? {
    switch cause {
    case nil: nil
    case .refusedCounted: "It fits if writes that were refused were counted."
    case .repeatsCounted: "It fits if every action was counted, repeated ones too."
    case .repeatsKept: "It fits if a second vote of the same kind was not taken to take the first back."
    case .repeatsTakenBack: "It fits if a second vote of the same kind took the first back."
    case .changesOnlyAdd: "It fits if a changed vote was counted without taking the old one away."
    case .removalsIgnored: "It fits if removals were confirmed and not carried out."
    case .lost(nil): "It fits if one accepted write was not kept."
    case .lost: "It fits if one accepted write, the one marked as lost, was not kept."
    }
  }
}
