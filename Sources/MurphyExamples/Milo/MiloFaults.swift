import MurphyServer
import Synchronization

/// The faults of tickets and push tokens.
extension Fault {
  static let ticketFaults = [
    Fault(
      "tickets-swapped", .state, on: .sendPush, frequency: .oneIn(2),
      "one request in 2 gets the tickets of its first and last message swapped",
      .after(\.milo.send) { _, tickets in if tickets.count > 1 { tickets.swapAt(0, tickets.count - 1) } }),
    Fault(
      "ticket-missing", .state, on: .sendPush, "a request of several messages gets one ticket too few",
      .after(\.milo.send) { _, tickets in if tickets.count > 1 { tickets.removeLast() } }),
    Fault(
      "ticket-extra", .state, on: .sendPush, "a request of several messages gets its last ticket twice",
      .after(\.milo.send) { _, tickets in if tickets.count > 1, let last = tickets.last { tickets.append(last) } }),
    Fault(
      "ticket-id-twice", .state, on: .sendPush, frequency: .oneIn(3),
      "one request in 3 gets the same id for all tickets",
      .after(\.milo.send) { _, tickets in
        guard let first = tickets.first(where: { $0.id != nil }) else { return }
        tickets = tickets.map { $0.id == nil ? $0 : first }
      }),
    Fault(
      "tickets-mixed-up", .state, on: .sendPush, "requests within 10 ms get the same tickets",
      .at(\.milo.send, keeping: SharedVariable<[Ticket]>()) { variable, notifications, rest in
        let own = try await rest(notifications)
        let shared = try await variable.exchange(own, waiting: .milliseconds(10))
        return shared.count == own.count ? shared : own
      }),
    Fault(
      "dead-phone-accepted", .state, on: .sendPush, "an unknown token gets a ticket with an id",
      .after(\.milo.send) { notifications, tickets in
        for (index, ticket) in tickets.enumerated() where ticket.id == nil {
          var numbers = SeededNumbers(seed: UInt64(bitPattern: Int64(notifications[index].to.hashValue)))
          tickets[index] = .ok(id: numbers.uuid())
        }
      }),
    Fault(
      "live-phone-refused", .state, on: .sendPush, frequency: .oneIn(4),
      "one request in 4 reports its first recipient as not registered",
      .after(\.milo.send) { notifications, tickets in
        if let first = notifications.first { tickets[0] = .notRegistered(token: first.to) }
      }),
    Fault(
      "tokens-mixed-up", .state, on: .getExpoPushToken, "phones that register within 10 ms get the same token",
      .mixingUp(\.milo.token)),
    Fault(
      "token-changes", .state, on: .getExpoPushToken,
      "a phone that requests its token again gets a different, unknown token",
      .at(\.milo.token, keeping: LaggingCopies<String, Int64>(age: .milliseconds(86_400_000))) { seen, phone, rest in
        let token = try await rest(phone)
        let now = MonotonicClock.now()
        let first = seen.read(phone.device, now)
        guard first != now else { return token }
        var numbers = SeededNumbers(seed: UInt64(now))
        return "ExponentPushToken[\(numbers.letters(22))]"
      }),
    Fault(
      "limit-counts-requests", .limits, on: .sendPush, "the limiter counts requests instead of notifications",
      .before(\.limiterDecision) { question in question.weight = 1 }),
  ]

  static let miloContractFaults = [
    Fault(
      "ticket-without-status", .contract, on: .sendPush, "tickets omit status", .body { $0.remove("status") }),
    Fault(
      "ticket-id-as-number", .contract, on: .sendPush, "ticket ids are numbers", .body { $0.set("id", to: "17") }),
    Fault(
      "status-sent", .contract, on: .sendPush, "tickets have status \"sent\" instead of \"ok\"",
      .body { $0.change("status") { $0 == "\"ok\"" ? "\"sent\"" : $0 } }),
    Fault(
      "error-without-details", .contract, on: .sendPush, "tickets with an error omit details",
      .body { $0.remove("details") }),
    Fault(
      "tickets-under-201", .contract, on: .sendPush, "sendPush returns 201 instead of 200",
      .response { $0.status = .created }),
    Fault(
      "receipt-without-status", .contract, on: .getReceipts, "receipts omit status", .body { $0.remove("status") }),
    Fault(
      "unknown-receipt-error", .contract, on: .getReceipts, "receipts contain an undocumented error",
      .body { $0.set("error", to: "\"PhoneOnFire\"") }),
    Fault(
      "bare-token", .contract, on: .getExpoPushToken, "getExpoPushToken omits ExponentPushToken[…]",
      .body { $0.change("expoPushToken") { $0.replacing("ExponentPushToken[", with: "").replacing("]", with: "") } }),
    Fault(
      "refusal-not-transient", .contract, on: .sendPush, "rejections have isTransient: false",
      .leaving(.tooManyRequests) { response in response.change { $0.set("isTransient", to: "false") } }),
  ]
}

extension Ticket {
  /// The id of the receipt, if there will be one.
  fileprivate var id: String? { if case .ok(let id) = self { id } else { nil } }
}

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
      "gone-phone-receipt-ok", .state, on: .getReceipts, "the receipt for a phone without the app has status ok",
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
        delivery.phone = try await variable.exchange(delivery.phone, waiting: .milliseconds(10))
        try await rest(delivery)
      }),
    Fault(
      "serial-sends", .latency, on: .sendPush, "requests are processed one after the other, 100 ms each",
      .waitingInLine(.milliseconds(100))),
  ]
}

extension String {
  /// The same quarter of all UUIDs each time.
  fileprivate var isOneInFour: Bool { (last?.hexDigitValue ?? 0) % 4 == 0 }
}
