/// The places where faults take hold in what the journal does.
struct JournalHooks: SystemHooks {
  /// The token of a device that has logged in.
  var logIn = Hook<Int, String>()
  /// What becomes of a pushed entry.
  var push = Hook<EntryPush, PushOutcome>()
  /// The answer to a push, once it is decided.
  var pushed = Hook<PushOutcome, PushOutcome>()
  /// One entry, as the store holds it.
  var entry = Hook<JournalEntry, JournalEntry>()
  /// The entries that have changed.
  var pull = Hook<EntryPull, EntryPage>()
  /// Keeps a push token.
  var register = Hook<PushTokenRequest, RegisteredToken>()
  /// The push tokens of an author.
  var tokens = Hook<Int, [RegisteredToken]>()
  /// Forgets a push token; false without such a one.
  var remove = Hook<PushTokenRemoval, Bool>()
}

extension Hooks {
  var journal: JournalHooks {
    get { self[JournalHooks.self] }
    set { self[JournalHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the journal, for effects on what it holds.
  var journal: JournalStore { system(Journal.self).store }
}
