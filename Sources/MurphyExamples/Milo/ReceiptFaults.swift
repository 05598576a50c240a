import MurphyServer
import Synchronization

/// The faults of receipts, and of deliveries to the phones.
extension Fault {
  static let receiptFaults = [
    Fault(
      "receipt-missing", .state, on: .getReceipts, "one ticket in 4 never has a receipt",
      .after(\.milo.receipts) { _, receipts in receipts.removeAll { $0.id.isOneInFour } }),
    Fault(
      "receipts-swapped", .state, on: .getReceipts, "the receipts of the first and last id are swapped",
      .after(\.milo.receipts) { _, receipts in
        guard let first = receipts.first, let last = receipts.last, receipts.count > 1 else { return }
        (receipts[0].outcome, receipts[receipts.count - 1].outcome) = (last.outcome, first.outcome)
      }),
    Fault(
      "receipt-flips", .state, on: .getReceipts, "a receipt that was ok is an error when it is requested again",
      .at(\.milo.receipts, keeping: Mutex<Set<String>>([])) { asked, ids, rest in
        try await rest(ids).map { receipt in
          guard asked.withLock({ !$0.insert(receipt.id).inserted }), receipt.outcome == .ok else { return receipt }
          return Receipt(id: receipt.id, outcome: .tooBig)
        }
      }),
    Fault(
      "receipt-not-asked-for", .state, on: .getReceipts, "responses contain a receipt that was not requested",
      .after(\.milo.receipts) { $1.append(Receipt(id: "00000000-0000-4000-8000-000000000000", outcome: .ok)) }),
    Fault(
      "receipts-mixed-up", .state, on: .getReceipts, "requests within 10 ms get the same receipts",
      .mixingUp(\.milo.receipts)),
    Fault(
      "gone-phone-receipt-ok", .state, on: .getReceipts, "the receipt for a phone without the app is ok",
      .after(\.milo.receipts) { _, receipts in receipts = receipts.map { Receipt(id: $0.id, outcome: .ok) } }),
  ]

  static let deliveryFaults = [
    Fault(
      "push-lost", .state, on: .sendPush, frequency: .oneIn(5), "one notification in 5 never arrives at its phone",
      .at(\.milo.deliver) { _, _ in }),
    Fault(
      "push-twice", .state, on: .sendPush, frequency: .oneIn(5), "one notification in 5 arrives at its phone twice",
      .at(\.milo.deliver) { delivery, rest in
        try await rest(delivery)
        try await rest(delivery)
      }),
    Fault(
      "push-to-neighbour", .state, on: .sendPush, "notifications sent within 10 ms all go to one phone",
      .at(\.milo.deliver, keeping: SharedVariable<String>()) { variable, delivery, rest in
        var delivery = delivery
        delivery.phone = try await variable.exchange(delivery.phone, waiting: 10)
        try await rest(delivery)
      }),
    Fault(
      "serial-sends", .latency, on: .sendPush, "requests wait for each other, 100 ms each",
      .waitingInLine(milliseconds: 100)),
  ]
}

extension String {
  /// The same quarter of all UUIDs each time.
  fileprivate var isOneInFour: Bool { (last?.hexDigitValue ?? 0) % 4 == 0 }
}
