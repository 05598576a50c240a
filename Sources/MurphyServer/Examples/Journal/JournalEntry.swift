/// An entry of a journal, in one of its versions.
struct JournalEntry: Sendable, Equatable {
  /// A UUID in lower case, drawn by the device that wrote the entry first.
  var id: String
  var author: Int
  /// 1 for the first, and one more with each push that was taken.
  var version: Int
  var content: String
  /// Microseconds since 1970.
  var createdAt: Int
  /// Microseconds since 1970; no two changes of the journal have the same.
  var updatedAt: Int
}

/// What a device sends.
struct EntryPush: Sendable, Equatable {
  var id: String
  var author: Int
  /// The version that the device has changed; 0 for an entry of its own.
  var version: Int
  var content: String
}

/// What becomes of a pushed entry.
enum PushOutcome: Sendable, Equatable {
  /// The device had the current version: it is stored with the next number.
  case saved(JournalEntry)
  /// The device was too late: this is what is stored.
  case conflict(JournalEntry)
  /// The device claims a version that was never given; the current one, 0 for none.
  case ahead(current: Int)
  /// The id is another author's.
  case foreign
}

/// What a device asks for when it comes to the foreground.
struct EntryPull: Sendable, Equatable {
  var author: Int
  /// Microseconds since 1970: entries that changed after.
  var since: Int
  var limit: Int
}

/// Entries in the order in which they changed.
struct EntryPage: Sendable, Equatable {
  var entries: [JournalEntry]
  /// Whether there are more.
  var hasMore: Bool
  /// Where the next pull goes on, microseconds since 1970.
  var syncedAt: Int
}
