/// The places where faults take hold in what Murphy's Laws do.
struct LawHooks: SystemHooks {
  /// The page of laws that the store finds.
  var list = Hook<LawQuery, LawPage>()
  /// One law, as the store holds it.
  var law = Hook<Law, Law>()
  /// The law that the store features on a day.
  var lawOfTheDay = Hook<String, Law?>()
  /// Stores a submission; its id.
  var submit = Hook<Submission, Int>()
  /// Stores a vote; the counts afterwards, or nil without such a law.
  var vote = Hook<Vote, VoteCounts?>()
  /// Registers a device for notifications.
  var register = Hook<NotificationRegistration, NotificationSettings?>()
  /// Changes what a device wants; nil for one that is not registered.
  var prefer = Hook<NotificationPreferences, NotificationSettings?>()
  /// What a device wants, as the store holds it.
  var preferences = Hook<NotificationSettings, NotificationSettings>()
  /// Forgets a device; false for one that is not registered.
  var unregister = Hook<String, Bool>()
}

extension Hooks {
  var laws: LawHooks {
    get { self[LawHooks.self] }
    set { self[LawHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the laws, for effects on what it holds.
  var store: Store { system(MurphysLaws.self).store }
}
