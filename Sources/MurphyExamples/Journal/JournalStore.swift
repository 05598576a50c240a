import Foundation
import GRDB
import MurphyServer

/// The database of the journal and all its queries.
final class JournalStore: Sendable {
  let database: any DatabaseWriter
  private let seed: UInt64
  /// The time after which the server ends a stream of changes, in nanoseconds: a minute on the server's time scale.
  let streamLife: Int64

  init(options: ReferenceOptions) throws(ServerError) {
    seed = options.seed
    streamLife = Int64(60e9 * options.limits.timeScale)
    database = try ReferenceDatabase.open(options, of: "journal", schema: Self.schema) { _ in }
  }

  private static let schema = """
    CREATE TABLE authors (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE);
    CREATE TABLE devices (id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES authors(id), token TEXT UNIQUE);
    CREATE TABLE entries (
      id TEXT PRIMARY KEY,
      author INTEGER NOT NULL REFERENCES authors(id),
      version INTEGER NOT NULL CHECK (version >= 1),
      -- GRDB reads a TEXT only up to a NUL.
      content BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
    CREATE INDEX entries_by_change ON entries(author, updated_at);
    CREATE TABLE push_tokens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      author INTEGER NOT NULL REFERENCES authors(id),
      token TEXT NOT NULL,
      platform TEXT NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
      created_at INTEGER NOT NULL,
      UNIQUE (author, token));
    """
}

extension JournalStore {
  /// The initial entries of a new author.
  private static let welcome = [
    "Welcome. Whatever you write here is yours.", "Write on one device, read on another.",
    "Two devices that change one entry at a time will ask you which to keep.",
  ]

  /// The author with an email address; a new author gets a journal with a few entries.
  func author(email: String) throws -> Int {
    try database.write { database in
      let known = "SELECT id FROM authors WHERE email = ?"
      if let id = try Int.fetchOne(database, sql: known, arguments: [email]) { return id }
      try database.execute(sql: "INSERT INTO authors (email) VALUES (?)", arguments: [email])
      let author = Int(database.lastInsertedRowID)
      var numbers = SeededNumbers(seed: seed &+ UInt64(author) &* 0x1_0001)
      for content in Self.welcome {
        try Self.insert(EntryPush(id: numbers.uuid(), author: author, version: 0, content: content), database)
      }
      return author
    }
  }

  /// A unique token for one more device of an author.
  func addDevice(of author: Int) throws -> String {
    try database.write { database in
      try database.execute(sql: "INSERT INTO devices (author) VALUES (?)", arguments: [author])
      var numbers = SeededNumbers(seed: seed ^ 0x70C3 &+ UInt64(database.lastInsertedRowID) &* 0x1_0003)
      let token = "jt_" + numbers.uuid().filter { $0 != "-" }
      try database.execute(
        sql: "UPDATE devices SET token = ? WHERE id = ?", arguments: [token, database.lastInsertedRowID])
      return token
    }
  }

  /// The author with this token, or nil.
  func author(of token: String) throws -> Int? {
    try database.unsafeRead { try $0.row("SELECT author FROM devices WHERE token = ?", [token])?[0] }
  }
}

extension JournalStore {
  private static let entryColumns = "SELECT id, author, version, content, created_at, updated_at FROM entries"

  /// An author's entry, or nil.
  func entry(_ id: String, of author: Int) throws -> JournalEntry? {
    try database.unsafeRead { try Self.entry(id, $0) }.flatMap { $0.author == author ? $0 : nil }
  }

  static func entry(_ id: String, _ database: Database) throws -> JournalEntry? {
    try database.row(entryColumns + " WHERE id = ?", [id]).map(entry)
  }

  /// Compares the device's version with the stored one and saves, in one transaction. Concurrent pushes never get the
  /// same version.
  func push(_ push: EntryPush) throws -> PushOutcome {
    try database.write { database in
      let current = try Self.entry(push.id, database)
      if let outcome = Self.refusal(push, current) { return outcome }
      return .saved(try Self.save(push, over: current, database))
    }
  }

  /// The reason why a push is rejected; nil if it is accepted.
  static func refusal(_ push: EntryPush, _ current: JournalEntry?) -> PushOutcome? {
    guard let current else { return push.version == 0 ? nil : .ahead(current: 0) }
    guard current.author == push.author else { return .foreign }
    if push.version < current.version { return .conflict(current) }
    return push.version > current.version ? .ahead(current: current.version) : nil
  }

  /// Writes the next version, regardless of the device's version.
  static func save(_ push: EntryPush, over current: JournalEntry?, _ database: Database) throws -> JournalEntry {
    guard let current else { return try insert(push, database) }
    var entry = current
    (entry.version, entry.content, entry.updatedAt) = (current.version + 1, push.content, try nextMoment(database))
    try write(entry, database)
    return entry
  }

  /// Overwrites an entry, regardless of changes in the meantime.
  static func write(_ entry: JournalEntry, _ database: Database) throws {
    try database.run(
      "UPDATE entries SET version = ?, content = ?, updated_at = ? WHERE id = ?",
      [entry.version, Data(entry.content.utf8), entry.updatedAt, entry.id])
  }

  @discardableResult
  private static func insert(_ push: EntryPush, _ database: Database) throws -> JournalEntry {
    let now = try nextMoment(database)
    try database.run(
      "INSERT INTO entries VALUES (?, ?, 1, ?, ?, ?)", [push.id, push.author, Data(push.content.utf8), now, now])
    return JournalEntry(
      id: push.id, author: push.author, version: 1, content: push.content, createdAt: now, updatedAt: now)
  }

  /// A time after that of every earlier change, so that "changed since" is unambiguous.
  static func nextMoment(_ database: Database) throws -> Int {
    let last = try Int.fetchOne(try database.cachedStatement(sql: "SELECT max(updated_at) FROM entries")) ?? 0
    return max(Timestamp.microsecondsNow(), last + 1)
  }

  /// The entries of an author that changed since that time, in order of change.
  func pull(_ pull: EntryPull) throws -> EntryPage {
    try database.unsafeRead { database in
      let rows = try database.rows(
        Self.entryColumns + " WHERE author = ? AND updated_at > ? ORDER BY updated_at LIMIT ?",
        [pull.author, pull.since, pull.limit + 1])
      let entries = rows.prefix(pull.limit).map(Self.entry)
      return EntryPage(
        entries: entries, hasMore: rows.count > pull.limit, syncedAt: entries.last?.updatedAt ?? pull.since)
    }
  }

  private static func entry(_ row: Row) -> JournalEntry {
    JournalEntry(
      id: row[0], author: row[1], version: row[2], content: String(decoding: row[3] as Data, as: UTF8.self),
      createdAt: row[4], updatedAt: row[5])
  }
}

/// An entry of a journal, in one of its versions.
struct JournalEntry: Sendable, Equatable {
  /// A UUID in lower case, generated by the device that wrote the entry first.
  var id: String
  var author: Int
  /// 1 for the first, and one more with each accepted push.
  var version: Int
  var content: String
  /// Microseconds since 1970.
  var createdAt: Int
  /// Microseconds since 1970; no two changes of the journal have the same.
  var updatedAt: Int
}

/// The entry that a device sends.
struct EntryPush: Sendable, Equatable {
  var id: String
  var author: Int
  /// The version that the device has changed; 0 for an entry of its own.
  var version: Int
  var content: String
}

/// The outcome of a pushed entry.
enum PushOutcome: Sendable, Equatable {
  /// The device had the current version: it is stored with the next number.
  case saved(JournalEntry)
  /// The device was too late: this is the stored entry.
  case conflict(JournalEntry)
  /// The device sends a version that does not exist; the current one, 0 for none.
  case ahead(current: Int)
  /// The id belongs to another author.
  case foreign
}

/// The request of a device that returns to the foreground.
struct EntryPull: Sendable, Equatable {
  var author: Int
  /// Microseconds since 1970: entries that changed after.
  var since: Int
  var limit: Int
}

/// Entries in the order in which they changed.
struct EntryPage: Sendable, Equatable {
  var entries: [JournalEntry]
  /// True if there are more.
  var hasMore: Bool
  /// The start of the next pull, microseconds since 1970.
  var syncedAt: Int
}
