import GRDB
import Synchronization

/// The database of the laws and all its queries.
final class LawStore: Sendable {
  let database: any DatabaseWriter
  /// The authors of laws, which do not change while the server runs.
  let credits: [Int: [Attribution]]
  let attributions: [CreditedAttribution]
  let categories: [Category]
  let seed: UInt64
  /// Laws are published only by hand. So the number of laws that match a query does not change while the server runs.
  let totals = Mutex<[LawQuery: Int]>([:])

  /// Opens the database with the laws of the seed.
  init(options: ReferenceOptions) throws(ServerError) {
    seed = options.seed
    database = try ReferenceDatabase.open(options, of: "murphys-laws", schema: Self.schema) { [seed] database in
      try Self.fill(database, with: Catalogue(seed: seed))
    }
    (credits, attributions, categories) = try database.loaded { database in
      (try Self.credits(database), try Self.creditedAttributions(database), try Self.categories(database))
    }
  }
}

extension LawStore {
  /// The law featured on `day`, generated from the seed: the same all day, another one on most other days.
  func lawOfTheDay(_ day: String) throws -> Law? {
    var numbers = SeededNumbers(seed: day.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    return try law(numbers.below(Catalogue.lawCount) + 1)
  }
}

extension LawStore {
  /// Stores a submission for review and returns its id, which differs from the ids of all laws.
  func submit(_ submission: Submission) throws -> Int {
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO submissions (text, title, author, email, category_id, submitted_at) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          submission.text, submission.title, submission.author, submission.email, submission.categoryID,
          Timestamp.now(),
        ])
      return Int(database.lastInsertedRowID)
    }
  }

  /// Puts an email into the outbox. The reference API does not send it.
  func post(to email: String, subject: String, body: String) throws {
    try database.write { database in
      try database.execute(
        sql: "INSERT INTO outbox (email, subject, body) VALUES (?, ?, ?)", arguments: [email, subject, body])
    }
  }
}

extension LawStore {
  static func credits(_ database: Database) throws -> [Int: [Attribution]] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, name, contact_type, contact_value, law_id
        FROM law_attributions JOIN attributions ON id = attribution_id ORDER BY law_id, position
        """)
    var credits: [Int: [Attribution]] = [:]
    while let row = try rows.next() { credits[row[4], default: []].append(attribution(row)) }
    return credits
  }

  static func creditedAttributions(_ database: Database) throws -> [CreditedAttribution] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, name, contact_type, contact_value, count(*)
        FROM attributions JOIN law_attributions ON id = attribution_id GROUP BY id ORDER BY name
        """
    ).map { CreditedAttribution(attribution: attribution($0), lawCount: $0[4]) }
  }

  static func categories(_ database: Database) throws -> [Category] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT categories.id, categories.title, slug, description, count(laws.id)
        FROM categories LEFT JOIN laws ON category_id = categories.id GROUP BY categories.id ORDER BY categories.title
        """
    ).map { Category(id: $0[0], title: $0[1], slug: $0[2], description: $0[3], lawCount: $0[4]) }
  }

  private static func attribution(_ row: Row) -> Attribution {
    let contact = (row[3] as String?).map { Attribution.Contact(type: row[2], value: $0) }
    return Attribution(id: row[0], name: row[1], contact: contact)
  }
}

extension LawStore {
  /// Counts the single vote of a voter on a law, in one transaction.
  /// - Returns: the counts afterwards, or nil if the law does not exist.
  func vote(_ vote: Vote) throws -> VoteCounts? {
    try database.write { try Self.count(vote, $0) }
  }

  func counts(of law: Int) throws -> VoteCounts? {
    try database.unsafeRead { try Self.counts($0, of: law) }
  }

  /// Counts a vote within a transaction of the caller.
  static func count(_ vote: Vote, _ database: Database) throws -> VoteCounts? {
    let old = try direction(of: vote, database)
    if old != vote.direction {
      var change = VoteCounts(upvotes: 0, downvotes: 0)
      change.add(1, to: vote.direction)
      change.add(-1, to: old)
      try database.run(
        "UPDATE laws SET upvotes = max(upvotes + ?, 0), downvotes = max(downvotes + ?, 0) WHERE id = ?",
        [change.upvotes, change.downvotes, vote.law])
      guard database.changesCount == 1 else { return nil }
      try remember(vote, database)
    }
    return try counts(database, of: vote.law)
  }

  /// The earlier vote of the voter.
  static func direction(of vote: Vote, _ database: Database) throws -> VoteDirection? {
    try database.row("SELECT direction FROM votes WHERE law_id = ? AND voter = ?", [vote.law, vote.voter])
      .flatMap { VoteDirection(rawValue: $0[0]) }
  }

  /// Stores the vote of a voter without counting it.
  static func remember(_ vote: Vote, _ database: Database) throws {
    guard let direction = vote.direction else {
      return try database.run("DELETE FROM votes WHERE law_id = ? AND voter = ?", [vote.law, vote.voter])
    }
    try database.run(
      "INSERT INTO votes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET direction = excluded.direction",
      [vote.law, vote.voter, direction.rawValue])
  }

  private static func counts(_ database: Database, of law: Int) throws -> VoteCounts? {
    try database.row("SELECT upvotes, downvotes FROM laws WHERE id = ?", [law])
      .map { VoteCounts(upvotes: $0[0], downvotes: $0[1]) }
  }
}

extension LawStore {
  static let schema = """
    CREATE TABLE categories (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, description TEXT);
    CREATE TABLE attributions (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, contact_type TEXT, contact_value TEXT);
    CREATE TABLE laws (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL,
      title TEXT,
      haystack TEXT NOT NULL,
      category_id INTEGER NOT NULL REFERENCES categories(id),
      upvotes INTEGER NOT NULL CHECK (upvotes >= 0),
      downvotes INTEGER NOT NULL CHECK (downvotes >= 0),
      score INTEGER GENERATED ALWAYS AS (upvotes - downvotes) VIRTUAL,
      created_at TEXT NOT NULL);
    -- Finds any part of a text from three letters on, twenty times faster than a scan.
    CREATE VIRTUAL TABLE law_texts USING fts5(haystack, content = '', tokenize = 'trigram case_sensitive 1');
    CREATE INDEX laws_by_score ON laws(score DESC, id);
    CREATE INDEX laws_by_upvotes ON laws(upvotes DESC, id);
    CREATE INDEX laws_by_date ON laws(created_at DESC, id);
    CREATE INDEX laws_by_category ON laws(category_id);
    CREATE TABLE law_attributions (
      law_id INTEGER NOT NULL REFERENCES laws(id), position INTEGER NOT NULL,
      attribution_id INTEGER NOT NULL REFERENCES attributions(id),
      PRIMARY KEY (law_id, position)) WITHOUT ROWID;
    CREATE INDEX laws_by_attribution ON law_attributions(attribution_id);
    CREATE TABLE votes (
      law_id INTEGER NOT NULL REFERENCES laws(id), voter TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('up', 'down')),
      PRIMARY KEY (law_id, voter)) WITHOUT ROWID;
    CREATE TABLE submissions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      text TEXT NOT NULL, title TEXT, author TEXT, email TEXT,
      category_id INTEGER NOT NULL REFERENCES categories(id), submitted_at TEXT NOT NULL);
    -- GRDB reads a TEXT only up to a NUL.
    CREATE TABLE device_tokens (
      device_id TEXT PRIMARY KEY, token BLOB NOT NULL, platform TEXT NOT NULL CHECK (platform IN ('ios', 'android')),
      notification_enabled BOOLEAN NOT NULL, notification_time TEXT NOT NULL, timezone TEXT NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY, email TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL);
    """

  static func fill(_ database: Database, with catalogue: Catalogue) throws {
    for (index, category) in Catalogue.categories.enumerated() {
      try database.execute(
        sql: "INSERT INTO categories VALUES (?, ?, ?, ?)",
        arguments: [index + 1, category.title, category.slug, category.description])
    }
    for person in catalogue.attributions {
      try database.execute(
        sql: "INSERT INTO attributions VALUES (?, ?, ?, ?)",
        arguments: [person.id, person.name, person.contact?.type, person.contact?.value])
    }
    let law = try database.makeStatement(
      sql: """
        INSERT INTO laws (id, text, title, haystack, category_id, upvotes, downvotes, created_at)
        VALUES (?1, ?2, ?3, lower(?2 || char(10) || coalesce(?3, '')), ?4, ?5, ?6, ?7)
        """)
    let credit = try database.makeStatement(sql: "INSERT INTO law_attributions VALUES (?, ?, ?)")
    for entry in catalogue.laws {
      try law.execute(arguments: [
        entry.id, entry.text, entry.title, entry.categoryID, entry.upvotes, entry.downvotes, entry.createdAt,
      ])
      for (position, person) in entry.attributions.enumerated() {
        try credit.execute(arguments: [entry.id, position, person.id])
      }
    }
    try database.execute(sql: "INSERT INTO law_texts (rowid, haystack) SELECT id, haystack FROM laws")
    // The ids of submissions continue those of the laws, because submissions may become laws.
    try database.execute(
      sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('submissions', ?)", arguments: [catalogue.laws.count])
  }
}
