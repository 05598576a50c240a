import GRDB

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
          registration.device, registration.token, registration.platform.rawValue, registration.time,
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
        device: row[0], token: row[1], platform: row[2], isEnabled: row[3], time: row[4], timeZone: row[5],
        createdAt: row[6], updatedAt: row[7])
    }
  }
}
