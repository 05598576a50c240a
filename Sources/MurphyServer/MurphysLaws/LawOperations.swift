extension Operation {
  /// The operations of Murphy's Laws.
  package static let laws = [
    listLaws, getLaw, submitLaw, voteLaw, removeVote, getLawOfTheDay, listCategories, listAttributions,
    shareCalculation, registerDevice, unregisterDevice, getPreferences, setPreferences,
  ]

  package static let listLaws = Operation("listLaws", limit: .listLaws)
  package static let getLaw = Operation("getLaw", limit: .getLaw)
  package static let submitLaw = Operation("submitLaw", limit: .submitLaw)
  package static let voteLaw = Operation("voteLaw", limit: .votes)
  package static let removeVote = Operation("removeVote", limit: .votes)
  package static let getLawOfTheDay = Operation("getLawOfTheDay", limit: .getLawOfTheDay)
  package static let listCategories = Operation("listCategories", limit: .listCategories)
  package static let listAttributions = Operation("listAttributions", limit: .listAttributions)
  package static let shareCalculation = Operation("shareCalculation", limit: .shareCalculation)
  package static let registerDevice = Operation("registerDevice", limit: .notificationSettings)
  package static let unregisterDevice = Operation("unregisterDevice", limit: .notificationSettings)
  package static let getPreferences = Operation("getPreferences", limit: .getPreferences)
  package static let setPreferences = Operation("setPreferences", limit: .notificationSettings)
}

/// One limit for each operation, as the API's architecture document promises; votes given and taken back share one, and
/// so do changes of notification settings.
extension ReferenceLimit {
  package static let listLaws = ReferenceLimit("listLaws", allow: 60, isRead: true)
  package static let getLaw = ReferenceLimit("getLaw", allow: 60, isRead: true)
  package static let getLawOfTheDay = ReferenceLimit("getLawOfTheDay", allow: 60, isRead: true)
  package static let listCategories = ReferenceLimit("listCategories", allow: 60, isRead: true)
  package static let listAttributions = ReferenceLimit("listAttributions", allow: 60, isRead: true)
  package static let submitLaw = ReferenceLimit("submitLaw", allow: 3, noun: "submissions")
  package static let votes = ReferenceLimit("votes", allow: 30, noun: "votes")
  package static let getPreferences = ReferenceLimit("getPreferences", allow: 60, isRead: true)
  package static let notificationSettings = ReferenceLimit(
    "notificationSettings", allow: 20, noun: "changes of notification settings")
  package static let shareCalculation = ReferenceLimit("shareCalculation", allow: 5, noun: "shared calculations")
}
