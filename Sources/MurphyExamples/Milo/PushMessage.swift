import MurphyServer

/// A message of a request, read and validated: one notification for each recipient.
struct PushMessage: Sendable {
  var notifications: [Notification]
  /// True if `to` is a list.
  var hasList: Bool

  private static let known: Set<String> = [
    "to", "title", "body", "data", "sound", "ttl", "expiration", "priority", "subtitle", "badge", "channelId",
    "categoryId", "mutableContent",
  ]

  init(_ value: RequestValue) throws {
    let fields = try RequestFields(value, known: Self.known, of: "A message")
    let recipients: [String]
    switch fields.value("to") {
    case .string(let token): (recipients, hasList) = ([token], false)
    case .array(let elements)?:
      hasList = true
      recipients = try elements.map { element in
        guard case .string(let token) = element else { throw Self.wrongRecipient }
        return token
      }
    default: throw Self.wrongRecipient
    }
    guard !recipients.isEmpty else { throw Self.wrongRecipient }
    try Self.check(fields)
    let data = fields.value("data")
    let (title, body) = (try fields.optionalText("title", 0...4096), try fields.optionalText("body", 0...8192))
    var json = JSONWriter()
    json.value(value)
    let size = json.buffer.readableBytes
    notifications = recipients.map { Notification(to: $0, title: title, body: body, data: data, size: size) }
  }

  private static let wrongRecipient = APIError.invalid("to", "to must be an Expo push token or a list of them.")

  /// Throws for a field that does not conform to the documentation of the push service.
  private static func check(_ fields: RequestFields) throws(APIError) {
    if let data = fields.value("data") {
      guard case .object = data else { throw .invalid("data", "data must be an object.") }
    }
    for name in ["subtitle", "channelId", "categoryId"] { _ = try fields.optionalText(name, 0...256) }
    for name in ["ttl", "expiration", "badge"] where fields.value(name) != nil {
      _ = try fields.integer(name, 0...Int(UInt32.max))
    }
    if fields.value("mutableContent") != nil { _ = try fields.boolean("mutableContent") }
    if let priority = fields.value("priority") {
      guard [.string("default"), .string("normal"), .string("high")].contains(priority) else {
        throw .invalid("priority", "priority must be default, normal or high.")
      }
    }
    if let sound = fields.value("sound") {
      guard sound == .string("default") else { throw .invalid("sound", "sound must be default or null.") }
    }
  }
}

/// One notification for one phone, from a message of a request.
struct Notification: Sendable, Equatable {
  /// The Expo push token of the recipient.
  var to: String
  var title: String?
  var body: String?
  /// The data for the app; nil for none.
  var data: RequestValue?
  /// Bytes of the whole message.
  var size: Int
}

/// The immediate response of the push service to a notification.
enum Ticket: Sendable, Equatable {
  /// It is being delivered; the id of its receipt.
  case ok(id: String)
  /// The token does not exist, or no longer exists.
  case notRegistered(token: String)
}

/// The outcome of a notification.
struct Receipt: Sendable, Equatable {
  enum Delivery: Sendable, Equatable {
    /// The phone's push service has accepted it.
    case ok
    /// The app was deleted from the phone.
    case notRegistered(token: String)
    /// The message has more than 4096 bytes.
    case tooBig
  }

  /// The ticket's id.
  var id: String
  var outcome: Delivery
}

/// A notification and its recipient phone.
struct Delivery: Sendable, Equatable {
  /// The ticket's id.
  var id: String
  /// The device's id.
  var phone: String
  var title: String?
  var body: String?
  /// JSON; nil for none.
  var data: String?
}

/// The information that an app sends to get a push token.
struct PhoneRegistration: Sendable, Equatable {
  enum Platform: String, CaseIterable, Sendable {
    case apns, fcm
  }

  /// The id of the installation, a UUID in lower case.
  var device: String
  /// The app's project, a UUID in lower case.
  var project: String
  /// The address of the phone at Apple or Google. If it begins with `gone`, the app has been deleted. The first
  /// notification detects this.
  var address: String
  var kind: Platform
}

extension JSONWriter {
  /// Any JSON value from a request.
  mutating func value(_ value: RequestValue) {
    switch value {
    case .null: null()
    case .bool(let flag): bool(flag)
    case .number(let number): if let whole = Int(exactly: number) { integer(whole) } else { self.number(number) }
    case .string(let text): string(text)
    case .array(let elements): array { json in elements.forEach { json.value($0) } }
    case .object(let members):
      object { json in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          json.name(of: name)
          json.value(value)
        }
      }
    }
  }
}
