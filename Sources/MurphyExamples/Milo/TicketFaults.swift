import MurphyServer

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
        let shared = try await variable.exchange(own, waiting: 10)
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
      "token-changes", .state, on: .getExpoPushToken, "a phone that asks again gets a different, unknown token",
      .at(\.milo.token, keeping: LaggingCopies<String, Int64>(milliseconds: 86_400_000)) { seen, phone, rest in
        let token = try await rest(phone)
        let now = MonotonicClock.now()
        let first = seen.read(phone.device, now)
        guard first != now else { return token }
        var numbers = SeededNumbers(seed: UInt64(now))
        return "ExponentPushToken[\(numbers.letters(22))]"
      }),
    Fault(
      "limit-counts-requests", .limits, on: .sendPush, "the limiter counts requests instead of notifications",
      .before(\.limitDecision) { question in question.weight = 1 }),
  ]

  static let miloContractFaults = [
    Fault(
      "ticket-without-status", .contract, on: .sendPush, "tickets leave out status", .body { $0.remove("status") }),
    Fault(
      "ticket-id-as-number", .contract, on: .sendPush, "ticket ids are numbers", .body { $0.set("id", to: "17") }),
    Fault(
      "status-sent", .contract, on: .sendPush, "tickets have status \"sent\" instead of \"ok\"",
      .body { $0.change("status") { $0 == "\"ok\"" ? "\"sent\"" : $0 } }),
    Fault(
      "error-without-details", .contract, on: .sendPush, "tickets with an error leave out details",
      .body { $0.remove("details") }),
    Fault(
      "tickets-under-201", .contract, on: .sendPush, "sendPush answers with 201 instead of 200",
      .answer { $0.status = .created }),
    Fault(
      "receipt-without-status", .contract, on: .getReceipts, "receipts leave out status", .body { $0.remove("status") }),
    Fault(
      "unknown-receipt-error", .contract, on: .getReceipts, "receipts contain an undocumented error",
      .body { $0.set("error", to: "\"PhoneOnFire\"") }),
    Fault(
      "bare-token", .contract, on: .getExpoPushToken, "getExpoPushToken leaves out ExponentPushToken[…]",
      .body { $0.change("expoPushToken") { $0.replacing("ExponentPushToken[", with: "").replacing("]", with: "") } }),
    Fault(
      "refusal-not-transient", .contract, on: .sendPush, "rejections have isTransient: false",
      .leaving(.tooManyRequests) { answer in answer.change { $0.set("isTransient", to: "false") } }),
  ]
}

extension Ticket {
  /// The id of the receipt, if there will be one.
  fileprivate var id: String? { if case .ok(let id) = self { id } else { nil } }
}
