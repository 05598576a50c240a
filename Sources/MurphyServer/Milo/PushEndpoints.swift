import Hummingbird

/// `POST /--/api/v2/push/getExpoPushToken`: what the app's own library asks for when it first runs.
struct GetExpoPushToken: Endpoint {
  static let operation = Operation.getExpoPushToken
  let store: MiloStore
  let hooks: MiloHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> PhoneRegistration {
    let fields = try await RequestFields(
      request, known: ["deviceId", "projectId", "appId", "deviceToken", "type", "development"])
    _ = try fields.text("appId", 1...200)
    if fields.value("development") != nil { _ = try fields.boolean("development") }
    return PhoneRegistration(
      device: try fields.uuid("deviceId"), project: try fields.uuid("projectId"),
      address: try fields.text("deviceToken", 1...300), kind: try fields.choice("type"))
  }

  func answer(_ registration: PhoneRegistration, to caller: Caller) async throws -> Answer {
    let token = try await hooks.token(registration, of: Self.operation) { try store.token(of: $0) }
    return .json(.ok) { json in
      json.object { $0.member("data") { $0.member("expoPushToken", token) } }
    }
  }
}

/// `POST /--/api/v2/push/send`: takes notifications and answers with a ticket for each.
struct SendPush: Endpoint {
  static let operation = Operation.sendPush
  /// Recipients of one request, at most.
  private static let most = 100
  /// 100 messages of 4 KiB, and what stands around them.
  private static let largestBody = 1 << 20

  let store: MiloStore
  let hooks: MiloHooks

  struct Input: Sendable {
    var notifications: [Notification]
    /// One message to one recipient, which is answered with a ticket in place of a list.
    var isSingle: Bool
  }

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> Input {
    let body = try await RequestValue(bodyOf: request, limit: Self.largestBody)
    let messages: [RequestValue]
    let isList: Bool
    if case .array(let elements) = body {
      (messages, isList) = (elements, true)
    } else {
      (messages, isList) = ([body], false)
    }
    guard !messages.isEmpty else { throw APIError.invalid(nil, "There must be a message.") }
    let read = try messages.map { try PushMessage($0) }
    let notifications = read.flatMap(\.notifications)
    guard notifications.count <= Self.most else {
      throw APIError.named(
        "PUSH_TOO_MANY_NOTIFICATIONS", "A request may have \(Self.most) recipients; there are \(notifications.count).")
    }
    guard try store.projects(of: notifications.map(\.to)).count <= 1 else {
      throw APIError.named("PUSH_TOO_MANY_EXPERIENCE_IDS", "All recipients of a request must be of one project.")
    }
    return Input(notifications: notifications, isSingle: !isList && !read[0].hasList)
  }

  /// The limit counts notifications, not requests.
  func weight(of input: Input) -> Int { input.notifications.count }

  func answer(_ input: Input, to caller: Caller) async throws -> Answer {
    let tickets = try await hooks.send(input.notifications, of: Self.operation) { notifications in
      let sent = try store.send(notifications)
      for delivery in sent.deliveries {
        try await hooks.deliver(delivery, of: Self.operation) { try store.deliver($0) }
      }
      return sent.tickets
    }
    return .json(.ok, capacity: 64 + tickets.count * 128) { json in
      json.object { json in
        json.name("data")
        if input.isSingle, let ticket = tickets.first {
          json.ticket(ticket)
        } else {
          json.array { json in tickets.forEach { json.ticket($0) } }
        }
      }
    }
  }
}

/// `POST /--/api/v2/push/getReceipts`: what became of notifications, by the ids of their tickets.
struct GetReceipts: Endpoint {
  static let operation = Operation.getReceipts
  private static let most = 1000

  let store: MiloStore
  let hooks: MiloHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> [String] {
    let body = try await RequestValue(bodyOf: request, limit: 1 << 16)
    let fields = try RequestFields(body, known: ["ids"])
    guard case .array(let elements)? = fields.value("ids") else {
      throw APIError.invalid("ids", "ids must be a list of ticket ids.")
    }
    guard elements.count <= Self.most else {
      throw APIError.named(
        "PUSH_TOO_MANY_RECEIPTS", "A request may ask for \(Self.most) receipts; it asks for \(elements.count).")
    }
    return try elements.map { element in
      guard case .string(let id) = element else { throw APIError.invalid("ids", "ids must be a list of ticket ids.") }
      return id
    }
  }

  func answer(_ ids: [String], to caller: Caller) async throws -> Answer {
    var seen: Set<String> = []
    let unique = ids.filter { seen.insert($0).inserted }
    let receipts = try await hooks.receipts(unique, of: Self.operation) { try store.receipts(of: $0) }
    return .json(.ok, capacity: 64 + receipts.count * 96) { json in
      json.object { json in
        json.member("data") { json in
          for receipt in receipts {
            json.name(of: receipt.id)
            json.receipt(receipt)
          }
        }
      }
    }
  }
}

/// `GET /phones/{id}/notifications`: what a phone has shown. Apple and Google have no such path: it stands for the
/// screens of the family.
struct ListNotifications: Endpoint {
  static let operation = Operation.listNotifications
  let store: MiloStore
  let hooks: MiloHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> String { try PathID.uuid(id) }

  func answer(_ phone: String, to caller: Caller) async throws -> Answer {
    let shown = try await hooks.phone(try store.deliveries(to: phone), of: Self.operation) { $0 }
    return .json(.ok, capacity: 64 + shown.count * 256) { json in
      json.object { json in
        json.member("notifications", each: shown) { json, delivery in
          json.object { json in
            json.member("id", delivery.id)
            json.member("title", delivery.title)
            json.member("body", delivery.body)
            json.name("data")
            if let data = delivery.data { json.raw(data) } else { json.null() }
          }
        }
        json.member("total", shown.count)
      }
    }
  }
}
