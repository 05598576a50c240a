extension Operation {
  /// The operations of the contact book.
  package static let monica = [
    oauthLogin, listContacts, getContact, listContactActivities, listContactNotes, listContactTasks, listContactGifts,
    listTags,
  ]

  package static let oauthLogin = Operation("oauthLogin", limit: nil)
  package static let listContacts = Operation("listContacts", limit: .api)
  package static let getContact = Operation("getContact", limit: .api)
  package static let listContactActivities = Operation("listContactActivities", limit: .api)
  package static let listContactNotes = Operation("listContactNotes", limit: .api)
  package static let listContactTasks = Operation("listContactTasks", limit: .api)
  package static let listContactGifts = Operation("listContactGifts", limit: .api)
  package static let listTags = Operation("listTags", limit: .api)
}

extension ReferenceLimit {
  /// All requests of one token share a counter.
  package static let api = ReferenceLimit("api", allow: 60, isRead: true)
}
