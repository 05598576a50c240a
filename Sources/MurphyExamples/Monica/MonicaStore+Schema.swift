import GRDB
import MurphyServer

extension MonicaStore {
  static let schema = """
    CREATE TABLE tokens (id INTEGER PRIMARY KEY, token TEXT UNIQUE, scope TEXT NOT NULL, expires_at INTEGER);
    CREATE TABLE documents (
      id INTEGER PRIMARY KEY, contact_id INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
      content BLOB NOT NULL, created_at INTEGER NOT NULL);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
    CREATE TABLE contacts (
      id INTEGER PRIMARY KEY,
      first_name TEXT NOT NULL, last_name TEXT, nickname TEXT, haystack TEXT NOT NULL,
      gender TEXT NOT NULL, is_dead INTEGER NOT NULL, description TEXT, is_starred INTEGER NOT NULL,
      job TEXT, company TEXT, birthdate INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      -- What is counted and named with a contact; nothing changes while the server runs.
      tags TEXT, notes INTEGER NOT NULL DEFAULT 0, activities INTEGER NOT NULL DEFAULT 0,
      tasks INTEGER NOT NULL DEFAULT 0, gifts INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX contacts_by_first_name ON contacts(first_name, id);
    CREATE INDEX contacts_by_last_name ON contacts(last_name, id);
    CREATE INDEX contacts_by_creation ON contacts(created_at, id);
    CREATE INDEX contacts_by_change ON contacts(updated_at, id);
    CREATE TABLE contact_tags (
      contact_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, PRIMARY KEY (contact_id, tag_id)) WITHOUT ROWID;
    CREATE TABLE items (
      id INTEGER PRIMARY KEY,
      contact_id INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, text TEXT, is_marked INTEGER NOT NULL,
      day INTEGER NOT NULL, amount INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE INDEX items_by_contact ON items(contact_id, kind);
    """

  /// Creates the contacts within SQLite, in a tenth of a second for all. The words of row i are at places computed from
  /// i and the seed by multiplication with primes.
  static func fill(_ database: Database, seed: UInt64) throws {
    try database.execute(
      sql: "INSERT INTO tags SELECT key + 1, value, 1500000000 + key * 86400 FROM json_each(?)", arguments: [json(tags)]
    )
    let salt = Int(seed % 1_000_003)
    try database.execute(
      sql: """
        WITH RECURSIVE
          n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(contactCount)),
          h(i, a, b, c) AS (
            SELECT i, (i * 7919 + ?1 * 31) % 104729, (i * 104723 + ?1 * 17) % 15485863, (i * 1299709 + ?1) % 32452843
            FROM n)
        INSERT INTO contacts (
          id, first_name, last_name, nickname, haystack, gender, is_dead, description, is_starred, job, company, birthdate,
          created_at, updated_at)
        SELECT i,
          json_extract(?2, '$[' || (a % \(firstNames.count)) || ']'),
          CASE WHEN b % 23 = 0 THEN NULL ELSE json_extract(?3, '$[' || (b % \(lastNames.count)) || ']') END,
          CASE WHEN c % 5 = 0 THEN json_extract(?4, '$[' || (c % \(nicknames.count)) || ']') END,
          '',
          CASE c % 7 WHEN 0 THEN 'Rather not say' WHEN 1 THEN 'Man' WHEN 2 THEN 'Man' WHEN 3 THEN 'Man' ELSE 'Woman' END,
          b % 41 = 0,
          CASE WHEN a % 3 = 0 THEN 'Met at ' || json_extract(?5, '$[' || (a % \(places.count)) || ']') || '.' END,
          c % 13 = 0,
          CASE WHEN b % 2 = 0 THEN json_extract(?6, '$[' || (b % \(jobs.count)) || ']') END,
          CASE WHEN b % 4 = 0 THEN json_extract(?3, '$[' || (c % \(lastNames.count)) || ']') || ' & Co.' END,
          CASE WHEN a % 4 <> 0 THEN 86400 * (a % 18000) END,
          1500000000 + c * 6, 1500000000 + c * 6 + b
        FROM h
        """,
      arguments: [salt, json(firstNames), json(lastNames), json(nicknames), json(places), json(jobs)])
    try database.execute(
      sql: """
        UPDATE contacts SET haystack =
          lower(first_name || ' ' || coalesce(last_name, '') || char(10) || coalesce(nickname, ''))
        """)
    try database.execute(
      sql: """
        INSERT INTO contact_tags
        SELECT contacts.id, tags.id FROM contacts JOIN tags ON (contacts.id * 31 + tags.id * 17 + ?) % 9 = 0
        """, arguments: [salt])
    for (index, kind) in ItemKind.allCases.enumerated() {
      try database.execute(
        sql: """
          WITH k(i) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11))
          INSERT INTO items (contact_id, kind, title, text, is_marked, day, amount, created_at, updated_at)
          SELECT contacts.id, ?1,
            json_extract(?2, '$[' || ((contacts.id * 13 + i * 7 + ?3) % \(titles.count)) || ']'),
            CASE WHEN (contacts.id + i) % 3 > 0 THEN
              'With ' || first_name || ': ' || json_extract(?4, '$[' || ((contacts.id + i * 5) % \(places.count)) || ']')
            END,
            (contacts.id + i) % 4 = 0, created_at / 86400 * 86400 + i * 604800, 5 + (contacts.id * 3 + i * 11) % 200,
            created_at + i * 3600, created_at + i * 3600 + contacts.id % 600
          FROM contacts JOIN k
          -- One contact in 50 has a dozen, most have a few.
          WHERE k.i < CASE WHEN contacts.id % 50 = 0 THEN 12 ELSE (contacts.id + ?3 + \(index)) % 4 END
          """,
        arguments: [kind.rawValue, json(titles), salt % 1000 + index, json(places)])
    }
    let counts = [("notes", "note"), ("activities", "activity"), ("tasks", "task"), ("gifts", "gift")].map {
      column, kind in
      "\(column) = (SELECT count(*) FROM items WHERE contact_id = contacts.id AND kind = '\(kind)')"
    }
    try database.execute(
      sql: """
        UPDATE contacts SET tags = (SELECT group_concat(tag_id) FROM contact_tags WHERE contact_id = contacts.id),
          \(counts.joined(separator: ", "))
        """)
  }

  private static func json(_ words: [String]) -> String {
    var json = JSONWriter()
    json.array { json in words.forEach { json.string($0) } }
    return String(buffer: json.buffer)
  }

  private static let tags = [
    "Family", "Friends", "Work", "School", "Neighbours", "Sports club", "Choir", "Christmas cards", "Travel",
    "Doctors", "Craftsmen", "Old friends",
  ]
  private static let firstNames = [
    "Ada", "Alan", "Amara", "Anna", "Barbara", "Ben", "Carla", "Chen", "Clara", "Dara", "David", "Dorothy", "Edsger",
    "Elena", "Emma", "Farid", "Frances", "Grace", "Hana", "Hedy", "Ida", "Ivan", "James", "Jean", "Joan", "John",
    "José", "Karen", "Katherine", "Kenji", "Lena", "Leslie", "Linus", "Lucía", "Margaret", "Maria", "Mary", "Mei",
    "Mina", "Nadia", "Niklaus", "Noah", "Olga", "Omar", "Paula", "Radia", "Ravi", "Rosa", "Sam", "Sofia", "Tim", "Tom",
    "Uma", "Vera", "Wei", "Yara", "Zoë",
  ]
  private static let lastNames = [
    "Allen", "Bauer", "Becker", "Brown", "Chang", "Cohen", "Conway", "Costa", "Davis", "Diaz", "Dubois", "Evans",
    "Fischer", "Fontana", "Garcia", "Goldberg", "Haddad", "Hansen", "Hopper", "Ivanova", "Jackson", "Johnson",
    "Kowalski", "Kumar", "Lamarr", "Larsen", "Lee", "Liskov", "Lopez", "Lovelace", "Martin", "Mbeki", "Meyer",
    "Moreau", "Müller", "Murphy", "Nguyen", "Novak", "O'Brien", "Okafor", "Perlman", "Petrov", "Rossi", "Sato",
    "Schmidt", "Silva", "Smith", "Tanaka", "Thompson", "Turing", "Vogel", "Wagner", "Weber", "Wirth", "Yamada",
    "Zhang",
  ]
  private static let nicknames = [
    "Bear", "Doc", "Flash", "Ginger", "Lucky", "Mouse", "Red", "Scout", "Slim", "Smiley", "Tiny",
  ]
  private static let places = [
    "a wedding", "the market", "school", "a conference", "the train", "the choir", "a hospital", "the beach", "work",
    "a concert", "the library", "a birthday",
  ]
  private static let jobs = [
    "Teacher", "Nurse", "Carpenter", "Programmer", "Baker", "Lawyer", "Gardener", "Engineer", "Musician", "Pilot",
    "Pharmacist", "Journalist", "Cook",
  ]
  private static let titles = [
    "A long walk", "Dinner", "A book on mountains", "A call after work", "Tickets for the theatre",
    "A visit to the museum", "Tea and a talk", "A bicycle lamp", "Help with moving", "A letter", "The garden",
    "A bottle of wine", "Photographs",
  ]
}
