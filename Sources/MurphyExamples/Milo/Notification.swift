import MurphyServer

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
