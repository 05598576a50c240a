import Foundation
import GRDB

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

/// The state and time of a device's notifications of the law of the day.
struct NotificationSettings: Sendable, Equatable {
  enum Platform: String, CaseIterable, Sendable {
    case ios, android
  }

  /// The name that the device has generated for itself.
  var device: String
  /// The device's address with its push service.
  var token: String
  var platform: String
  var isEnabled: Bool
  /// `09:00`, in the device's time zone.
  var time: String
  /// `America/New_York`
  var timeZone: String
  /// RFC 3339, UTC.
  var createdAt: String
  var updatedAt: String
  /// True if the device was not registered before.
  var isNew = false
}

/// A device that registers.
struct NotificationRegistration: Sendable, Equatable {
  var device: String
  var token: String
  var platform: NotificationSettings.Platform
  var time: String
  var timeZone: String
}

/// The changes of a registered device; nil for unchanged values.
struct NotificationPreferences: Sendable, Equatable {
  var device: String
  var isEnabled: Bool
  var time: String?
  var timeZone: String?
}

extension LawStore {
  /// Registers a device, or updates the token and times of a registered one.
  func register(_ registration: NotificationRegistration) throws -> NotificationSettings? {
    try database.write { database in
      let isKnown = try Self.settings(registration.device, database) != nil
      let now = Timestamp.now()
      try database.execute(
        sql: """
          INSERT INTO device_tokens VALUES (?1, ?2, ?3, TRUE, ?4, ?5, ?6, ?6) ON CONFLICT DO UPDATE SET
            token = excluded.token, platform = excluded.platform, notification_enabled = TRUE,
            notification_time = excluded.notification_time, timezone = excluded.timezone,
            updated_at = excluded.updated_at
          """,
        arguments: [
          registration.device, Data(registration.token.utf8), registration.platform.rawValue, registration.time,
          registration.timeZone, now,
        ])
      var settings = try Self.settings(registration.device, database)
      settings?.isNew = !isKnown
      return settings
    }
  }

  /// Changes the settings of a device; nil if it is not registered.
  func change(_ preferences: NotificationPreferences) throws -> NotificationSettings? {
    try database.write { database in
      try database.execute(
        sql: """
          UPDATE device_tokens SET notification_enabled = ?, notification_time = coalesce(?, notification_time),
            timezone = coalesce(?, timezone), updated_at = ? WHERE device_id = ?
          """,
        arguments: [
          preferences.isEnabled, preferences.time, preferences.timeZone,
          Timestamp.now(), preferences.device,
        ])
      return try Self.settings(preferences.device, database)
    }
  }

  /// The settings of a device; nil if it is not registered.
  func settings(of device: String) throws -> NotificationSettings? {
    try database.unsafeRead { try Self.settings(device, $0) }
  }

  /// Removes a device; false if it is not registered.
  func unregister(_ device: String) throws -> Bool {
    try database.write { database in
      try database.execute(sql: "DELETE FROM device_tokens WHERE device_id = ?", arguments: [device])
      return database.changesCount == 1
    }
  }

  private static func settings(_ device: String, _ database: Database) throws -> NotificationSettings? {
    try database.row("SELECT * FROM device_tokens WHERE device_id = ?", [device]).map { row in
      NotificationSettings(
        device: row[0], token: String(decoding: row[1] as Data, as: UTF8.self), platform: row[2], isEnabled: row[3],
        time: row[4], timeZone: row[5],
        createdAt: row[6], updatedAt: row[7])
    }
  }
}

/// The faults of notification settings.
extension Fault {
  static let notificationFaults = [
    Fault(
      "preferences-lost", .state, on: .setPreferences, frequency: .oneIn(3),
      "one change in 3 is confirmed but not stored",
      .at(\.laws.prefer, with: \.laws) { store, preferences, rest in
        let before = try store.settings(of: preferences.device)
        let changed = try await rest(preferences)
        if let before {
          _ = try store.change(
            NotificationPreferences(
              device: before.device, isEnabled: before.isEnabled, time: before.time, timeZone: before.timeZone))
        }
        return changed
      }),
    Fault(
      "preferences-stale", .state, on: .getPreferences, "getPreferences reads from a cache that is up to 3 s old",
      .at(\.laws.preferences, keeping: LaggingCopies<String, NotificationSettings>(age: .milliseconds(3000))) {
        cache, settings, rest in
        let settings = try await rest(settings)
        return cache.read(settings.device, settings)
      }),
    Fault(
      "preferences-mixed-up", .state, on: .getPreferences,
      "devices that request settings within 10 ms get the same settings",
      .mixingUp(\.laws.preferences)),
    Fault(
      "time-reset", .state, on: .setPreferences, "switching notifications on or off resets the time to 09:00",
      .before(\.laws.prefer) { preferences in preferences.time = preferences.time ?? "09:00" }),
    Fault(
      "unregistered-device-stays", .state, on: .unregisterDevice,
      "unregisterDevice confirms the removal but keeps the device",
      .at(\.laws.unregister) { _, _ in true }),
    Fault(
      "time-with-seconds", .contract, on: .getPreferences, "getPreferences sends notification_time with seconds",
      .body { $0.change("notification_time") { $0.dropLast() + ":00\"" } }),
    Fault(
      "enabled-as-number", .contract, on: .setPreferences, "setPreferences sends notification_enabled as 0 or 1",
      .body { $0.change("notification_enabled") { $0 == "true" ? "1" : "0" } }),
  ]
}
