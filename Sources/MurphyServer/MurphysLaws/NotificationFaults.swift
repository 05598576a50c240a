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
      "preferences-stale", .state, on: .getPreferences, "getPreferences answers from a cache that is up to 3 s old",
      .at(\.laws.preferences, keeping: LaggingCopies<String, NotificationSettings>(milliseconds: 3000)) {
        cache, settings, rest in
        let settings = try await rest(settings)
        return cache.read(settings.device, settings)
      }),
    Fault(
      "preferences-mixed-up", .state, on: .getPreferences,
      "devices that ask within 10 ms get the same settings",
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
