extension Operation {
  /// The operations of the push service.
  package static let milo = [getExpoPushToken, sendPush, getReceipts, listNotifications]

  package static let getExpoPushToken = Operation("getExpoPushToken", limit: nil)
  package static let sendPush = Operation("sendPush", limit: .notifications)
  package static let getReceipts = Operation("getReceipts", limit: nil)
  package static let listNotifications = Operation("listNotifications", limit: nil)
}

extension ReferenceLimit {
  /// Notifications a second, of one project; a request counts as often as it has recipients.
  package static let notifications = ReferenceLimit("notifications", allow: 600, per: 1, noun: "notifications")
}
