/// One notification for one phone, as a message of a request asks for it.
struct Notification: Sendable, Equatable {
  /// The Expo push token that it is for.
  var to: String
  var title: String?
  var body: String?
  /// What the app hands to itself; nil for nothing.
  var data: RequestValue?
  /// Bytes of the whole message.
  var size: Int
}

/// What the push service says at once to a notification.
enum Ticket: Sendable, Equatable {
  /// It is on its way; the id of its receipt.
  case ok(id: String)
  /// The token is nobody's, or nobody's any more.
  case notRegistered(token: String)
}

/// What became of a notification.
struct Receipt: Sendable, Equatable {
  enum Delivery: Sendable, Equatable {
    /// The phone's push service has taken it.
    case ok
    /// The app is gone from the phone.
    case notRegistered(token: String)
    /// The message has more than 4096 bytes.
    case tooBig
  }

  /// The ticket's.
  var id: String
  var outcome: Delivery
}

/// A notification and the phone that it goes to.
struct Delivery: Sendable, Equatable {
  /// The ticket's.
  var id: String
  /// The device's id.
  var phone: String
  var title: String?
  var body: String?
  /// JSON; nil for nothing.
  var data: String?
}

/// What an app tells of its phone to get a push token.
struct PhoneRegistration: Sendable, Equatable {
  enum Platform: String, CaseIterable, Sendable {
    case apns, fcm
  }

  /// The id of the installation, a UUID in lower case.
  var device: String
  /// The app's project, a UUID in lower case.
  var project: String
  /// What Apple or Google calls the phone. One that begins with `gone` is of an app that was deleted meanwhile: the
  /// first notification finds that out.
  var address: String
  var kind: Platform
}

extension JSONWriter {
  /// Any JSON value that a request held.
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
