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
