import Foundation

/// Notifications of the law of the day.
extension LawEndpoints {
  /// `POST /notifications/register`: registers a device for the law of the day.
  func registerDevice(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(["device_id", "token", "platform", "notification_time", "timezone"])
    let registration = NotificationRegistration(
      device: try fields.device(), token: try fields.text("token", 8...4096), platform: try fields.choice("platform"),
      time: try fields.time() ?? "09:00", timeZone: try fields.timeZone() ?? "UTC")
    return Work {
      let settings = try await hooks.register(registration, of: .registerDevice) { try store.register($0) }
      guard let settings else { return .internalError("The device was not found.") }
      return .json(settings.isNew ? .created : .ok) { $0.notifications(settings) }
    }
  }

  /// `DELETE /notifications/unregister`: unregisters a device from notifications.
  func unregisterDevice(_ incoming: Incoming) async throws -> Work {
    let device = try await incoming.fields(["device_id"]).device()
    return Work {
      let isGone = try await hooks.unregister(device, of: .unregisterDevice) { try store.unregister($0) }
      guard isGone else { throw notRegistered(device) }
      return .noContent
    }
  }

  /// `PUT /notifications/preferences`: the state and time of notifications.
  func setPreferences(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(["device_id", "notification_enabled", "notification_time", "timezone"])
    let preferences = NotificationPreferences(
      device: try fields.device(), isEnabled: try fields.boolean("notification_enabled"), time: try fields.time(),
      timeZone: try fields.timeZone())
    return Work {
      let settings = try await hooks.prefer(preferences, of: .setPreferences) { try store.change($0) }
      guard let settings else { throw notRegistered(preferences.device) }
      return .json(.ok) { $0.notifications(settings) }
    }
  }

  /// `GET /notifications/preferences`: the settings of a device.
  func getPreferences(_ incoming: Incoming) throws -> Work {
    guard let device = incoming.query["device_id"], DeviceID.isValid(device) else {
      throw APIError.invalid("device_id", DeviceID.rule)
    }
    guard let settings = try store.settings(of: device) else { throw notRegistered(device) }
    return Work {
      let settings = try await hooks.preferences(settings, of: .getPreferences) { $0 }
      return .json(.ok) { $0.notifications(settings) }
    }
  }

  private func notRegistered(_ device: String) -> APIError { .notFound("The device \(device) is not registered.") }
}

extension RequestFields {
  fileprivate func device() throws(APIError) -> String {
    let device = try text("device_id", 1...1000)
    guard DeviceID.isValid(device) else { throw .invalid("device_id", DeviceID.rule) }
    return device
  }

  /// `09:00`, or nil if it is missing.
  fileprivate func time() throws(APIError) -> String? {
    guard let time = try optionalText("notification_time", 1...1000) else { return nil }
    guard time.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]/) != nil else {
      throw .invalid("notification_time", "notification_time must be a time of day such as 09:00.")
    }
    return time
  }

  /// `America/New_York`, or nil if it is missing.
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
    member("device_id", settings.device)
    member("token", settings.token)
    member("platform", settings.platform)
    member("notification_enabled", settings.isEnabled)
    member("notification_time", settings.time)
    member("timezone", settings.timeZone)
    member("created_at", settings.createdAt)
    member("updated_at", settings.updatedAt)
  }
}
