extension Operation {
  /// The operations of the journal.
  package static let journal = [
    logIn, pullEntries, getEntry, pushEntry, listPushTokens, registerPushToken, removePushToken,
  ]

  package static let logIn = Operation("logIn", limit: nil)
  package static let pullEntries = Operation("pullEntries", limit: .pulls)
  package static let getEntry = Operation("getEntry", limit: .entries)
  package static let pushEntry = Operation("pushEntry", limit: .pushes)
  package static let listPushTokens = Operation("listPushTokens", limit: .pushTokens)
  package static let registerPushToken = Operation("registerPushToken", limit: .pushTokens)
  package static let removePushToken = Operation("removePushToken", limit: .pushTokens)
}

/// What one device, as its access token names it, may do in a minute.
extension ReferenceLimit {
  package static let pulls = ReferenceLimit("pulls", allow: 60, noun: "pulls", isRead: true)
  package static let entries = ReferenceLimit("entries", allow: 120, isRead: true)
  package static let pushes = ReferenceLimit("pushes", allow: 60, noun: "pushes")
  package static let pushTokens = ReferenceLimit("pushTokens", allow: 20, noun: "requests for push tokens")
}
