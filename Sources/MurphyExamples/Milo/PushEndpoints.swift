import MurphyServer

/// The endpoints of the push service.
struct MiloEndpoints: Sendable {
  /// The maximum number of recipients of one request.
  private static let mostRecipients = 100
  /// 100 messages of 4 KiB, and the JSON around them.
  private static let largestBody = 1 << 20
  private static let mostReceipts = 1000

  let store: MiloStore
  let hooks: MiloHooks

  /// `POST /--/api/v2/push/getExpoPushToken`: the request of the app's library at its first run.
  func getExpoPushToken(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(["deviceId", "projectId", "appId", "deviceToken", "type", "development"])
    _ = try fields.text("appId", 1...200)
    if fields.value("development") != nil { _ = try fields.boolean("development") }
    let registration = PhoneRegistration(
      device: try fields.uuid("deviceId"), project: try fields.uuid("projectId"),
      address: try fields.text("deviceToken", 1...300), kind: try fields.choice("type"))
    return Work {
      let token = try await hooks.token(registration, of: .getExpoPushToken) { try store.token(of: $0) }
      return .json(.ok) { json in json.member("data") { $0.member("expoPushToken", token) } }
    }
  }

  /// `POST /--/api/v2/push/send`: accepts notifications and returns a ticket for each. The limit counts notifications,
  /// not requests.
  func sendPush(_ incoming: Incoming) async throws -> Work {
    let body = try await RequestValue(bodyOf: incoming.request, limit: Self.largestBody)
    let list: [RequestValue]? = if case .array(let elements) = body { elements } else { nil }
    let messages = try (list ?? [body]).map { try PushMessage($0) }
    guard let first = messages.first else { throw APIError.invalid(nil, "The request has no message.") }
    let notifications = messages.flatMap(\.notifications)
    guard notifications.count <= Self.mostRecipients else {
      throw APIError.named(
        "PUSH_TOO_MANY_NOTIFICATIONS",
        "A request may have at most \(Self.mostRecipients) recipients; this request has \(notifications.count).")
    }
    guard try store.projects(of: notifications.map(\.to)).count <= 1 else {
      throw APIError.named("PUSH_TOO_MANY_EXPERIENCE_IDS", "All recipients of a request must belong to one project.")
    }
    // The response to one message with one recipient is a ticket in place of a list.
    let isSingle = list == nil && !first.hasList
    return Work(weight: notifications.count) {
      let tickets = try await hooks.send(notifications, of: .sendPush) { notifications in
        let sent = try store.send(notifications)
        for delivery in sent.deliveries {
          try await hooks.deliver(delivery, of: .sendPush) { try store.deliver($0) }
        }
        return sent.tickets
      }
      return .json(.ok, capacity: 64 + tickets.count * 128) { json in
        if isSingle, let ticket = tickets.first {
          json.member("data") { $0.ticket(ticket) }
        } else {
          json.member("data", each: tickets) { $0.ticket($1) }
        }
      }
    }
  }

  /// `POST /--/api/v2/push/getReceipts`: the outcomes of notifications, by the ids of their tickets.
  func getReceipts(_ incoming: Incoming) async throws -> Work {
    let body = try await RequestValue(bodyOf: incoming.request, limit: 1 << 16)
    let wrong = APIError.invalid("ids", "ids must be a list of ticket ids.")
    guard case .array(let elements)? = try RequestFields(body, known: ["ids"]).value("ids") else { throw wrong }
    guard elements.count <= Self.mostReceipts else {
      throw APIError.named(
        "PUSH_TOO_MANY_RECEIPTS",
        "A request may have at most \(Self.mostReceipts) ids; this request has \(elements.count).")
    }
    var seen: Set<String> = []
    let ids = try elements.map { element in
      guard case .string(let id) = element else { throw wrong }
      return id
    }.filter { seen.insert($0).inserted }
    return Work {
      let receipts = try await hooks.receipts(ids, of: .getReceipts) { try store.receipts(of: $0) }
      return .json(.ok, capacity: 64 + receipts.count * 96) { json in
        json.member("data") { json in
          for receipt in receipts {
            json.name(of: receipt.id)
            json.object { $0.receipt(receipt) }
          }
        }
      }
    }
  }

  /// `GET /phones/{id}/notifications`: the notifications that a phone has displayed. Apple and Google have no such
  /// path: it simulates the screens of the family.
  func listNotifications(_ incoming: Incoming) throws -> Work {
    let phone = try incoming.uuid()
    return Work {
      let shown = try await hooks.phone(try store.deliveries(to: phone), of: .listNotifications) { $0 }
      return .json(.ok, capacity: 64 + shown.count * 256) { json in
        json.member("notifications", each: shown) { json, delivery in
          json.member("id", delivery.id)
          json.member("title", delivery.title)
          json.member("body", delivery.body)
          json.name("data")
          if let data = delivery.data { json.raw(data) } else { json.null() }
        }
        json.member("total", shown.count)
      }
    }
  }
}

extension JSONWriter {
  /// A ticket in the form of `#/components/schemas/Ticket`.
  fileprivate mutating func ticket(_ ticket: Ticket) {
    switch ticket {
    case .ok(let id):
      member("status", "ok")
      member("id", id)
    case .notRegistered(let token): error("DeviceNotRegistered", of: token)
    }
  }

  /// A receipt in the form of `#/components/schemas/Receipt`.
  fileprivate mutating func receipt(_ receipt: Receipt) {
    switch receipt.outcome {
    case .ok: member("status", "ok")
    case .notRegistered(let token): error("DeviceNotRegistered", of: token)
    case .tooBig:
      member("status", "error")
      member("message", "The notification has more than 4096 bytes.")
      member("details") { $0.member("error", "MessageTooBig") }
    }
  }

  private mutating func error(_ name: String, of token: String) {
    member("status", "error")
    member("message", "\"\(token)\" is not a registered push notification recipient")
    member("details") { json in
      json.member("error", name)
      json.member("expoPushToken", token)
    }
  }
}
