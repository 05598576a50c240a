import Foundation
import Hummingbird

/// `POST /notifications/register`: a device wants to be told the law of the day.
struct RegisterDevice: Endpoint {
  static let operation = Operation.registerDevice
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> NotificationRegistration {
    let fields = try await RequestFields(
      request, known: ["device_id", "token", "platform", "notification_time", "timezone"])
    return NotificationRegistration(
      device: try fields.device(), token: try fields.text("token", 8...4096), platform: try fields.choice("platform"),
      time: try fields.time() ?? "09:00", timeZone: try fields.timeZone() ?? "UTC")
  }

  func answer(_ registration: NotificationRegistration, to caller: Caller) async throws -> Answer {
    let settings = try await hooks.register(registration, of: Self.operation) { try store.register($0) }
    guard let settings else { return .internalError("The device is not there.") }
    return .json(settings.isNew ? .created : .ok) { $0.notifications(settings) }
  }
}

/// `DELETE /notifications/unregister`: a device wants no more notifications.
struct UnregisterDevice: Endpoint {
  static let operation = Operation.unregisterDevice
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> String {
    try await RequestFields(request, known: ["device_id"]).device()
  }

  func answer(_ device: String, to caller: Caller) async throws -> Answer {
    guard try await hooks.unregister(device, of: Self.operation, honestly: { try store.unregister($0) }) else {
      throw APIError.notFound("The device \(device) is not registered.")
    }
    return .noContent
  }
}

/// `PUT /notifications/preferences`: whether and when.
struct SetPreferences: Endpoint {
  static let operation = Operation.setPreferences
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> NotificationPreferences {
    let fields = try await RequestFields(
      request, known: ["device_id", "notification_enabled", "notification_time", "timezone"])
    return NotificationPreferences(
      device: try fields.device(), isEnabled: try fields.boolean("notification_enabled"), time: try fields.time(),
      timeZone: try fields.timeZone())
  }

  func answer(_ preferences: NotificationPreferences, to caller: Caller) async throws -> Answer {
    let settings = try await hooks.prefer(preferences, of: Self.operation) { try store.change($0) }
    guard let settings else { throw APIError.notFound("The device \(preferences.device) is not registered.") }
    return .json(.ok) { $0.notifications(settings) }
  }
}

/// `GET /notifications/preferences`: what a device has chosen.
struct GetPreferences: Endpoint {
  static let operation = Operation.getPreferences
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> NotificationSettings {
    guard let device = QueryString(request.uri.query)["device_id"], DeviceID.isValid(device) else {
      throw APIError.invalid("device_id", DeviceID.rule)
    }
    guard let settings = try store.settings(of: device) else {
      throw APIError.notFound("The device \(device) is not registered.")
    }
    return settings
  }

  func answer(_ settings: NotificationSettings, to caller: Caller) async throws -> Answer {
    let settings = try await hooks.preferences(settings, of: Self.operation) { $0 }
    return .json(.ok) { $0.notifications(settings) }
  }
}

extension RequestFields {
  fileprivate func device() throws(APIError) -> String {
    let device = try text("device_id", 1...1000)
    guard DeviceID.isValid(device) else { throw .invalid("device_id", DeviceID.rule) }
    return device
  }

  /// `09:00`, or nil for nothing.
  fileprivate func time() throws(APIError) -> String? {
    guard let time = try optionalText("notification_time", 1...1000) else { return nil }
    guard time.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]/) != nil else {
      throw .invalid("notification_time", "notification_time must be a time of day such as 09:00.")
    }
    return time
  }

  /// `America/New_York`, or nil for nothing.
  fileprivate func timeZone() throws(APIError) -> String? {
    guard let name = try optionalText("timezone", 1...100) else { return nil }
    guard name == "UTC" || TimeZone(identifier: name) != nil else {
      throw .invalid("timezone", "timezone must be a name of the IANA time zone database such as America/New_York.")
    }
    return name
  }
}

extension JSONWriter {
  fileprivate mutating func notifications(_ settings: NotificationSettings) {
    object { json in
      json.member("device_id", settings.device)
      json.member("token", settings.token)
      json.member("platform", settings.platform)
      json.member("notification_enabled", settings.isEnabled)
      json.member("notification_time", settings.time)
      json.member("timezone", settings.timeZone)
      json.member("created_at", settings.createdAt)
      json.member("updated_at", settings.updatedAt)
    }
  }
}
