import GRDB
import MurphyServer

/// The database of the contact book and its queries. Requests write only tokens and documents.
final class MonicaStore: Sendable {
  static let contactCount = 10_000
  /// The only account.
  static let account = 1

  let database: any DatabaseWriter
  let tags: [Tag]
  let seed: UInt64
  /// The time by which tokens expire, in nanoseconds since 1970: a database in a file outlives the clock of the machine.
  let now: @Sendable () -> Int64
  /// The lifetime of a token of `oauthToken` in seconds: an hour on the server's time scale.
  let tokenLifetime: Int

  init(options: ReferenceOptions) throws(ServerError) {
    seed = options.seed
    let (clock, offset) = (options.limits.clock, options.limits.clock.wallOffset())
    now = { clock.now() + offset }
    tokenLifetime = max(1, Int(3600 * options.limits.timeScale))
    database = try ReferenceDatabase.open(options, of: "monica", schema: Self.schema) { [seed] database in
      try Self.fill(database, seed: seed)
    }
    tags = try database.loaded { database in
      try database.rows("SELECT id, name, replace(lower(name), ' ', '-'), created_at FROM tags ORDER BY id", [])
        .map { Tag(id: $0[0], name: $0[1], slug: $0[2], createdAt: $0[3]) }
    }
  }
}

extension MonicaStore {
  private static let names = "contacts.id, first_name, last_name, nickname, gender, is_dead"
  private static let columns = """
    SELECT \(names), description, is_starred, job, company, birthdate, contacts.created_at, contacts.updated_at,
      tags, notes, activities, tasks, gifts
    FROM contacts
    """

  /// The contact `id`, or nil.
  func contact(_ id: Int) throws -> Contact? {
    try database.unsafeRead { try $0.row(Self.columns + " WHERE contacts.id = ?", [id]).map(contact) }
  }

  /// A page of the contacts with the text in one of their names, ignoring the case of ASCII letters.
  func contacts(_ query: PageQuery) throws -> FoundPage<Contact> {
    let condition = query.text == nil ? "" : " WHERE instr(haystack, ?) > 0"
    let arguments: StatementArguments = query.text.map { [$0.asciiLowercased] } ?? []
    return try database.unsafeRead { database in
      let total = try database.row("SELECT count(*) FROM contacts" + condition, arguments)
      let rows = try database.rows(
        "\(Self.columns)\(condition) ORDER BY \(Self.order(query, "contacts")) LIMIT ? OFFSET ?",
        arguments + [query.limit, query.offset])
      return FoundPage(items: rows.map(contact), total: total?[0] ?? 0)
    }
  }

  /// A page of one kind of a contact's items.
  func items(_ query: PageQuery, of kind: ItemKind) throws -> FoundPage<ContactItem> {
    try database.unsafeRead { database in
      let total = try database.row(
        "SELECT count(*) FROM items WHERE contact_id = ? AND kind = ?", [query.contact, kind.rawValue])
      let rows = try database.rows(
        """
        SELECT \(Self.names), items.id, title, text, is_marked, day, amount, items.created_at, items.updated_at
        FROM items JOIN contacts ON contacts.id = contact_id WHERE contact_id = ? AND kind = ?
        ORDER BY \(Self.order(query, "items")) LIMIT ? OFFSET ?
        """, [query.contact, kind.rawValue, query.limit, query.offset])
      return FoundPage(items: rows.map(Self.item), total: total?[0] ?? 0)
    }
  }

  func hasContact(_ id: Int) -> Bool { 1...Self.contactCount ~= id }

  /// Equal rows are ordered by id.
  private static func order(_ query: PageQuery, _ table: String) -> String {
    "\(table).\(query.sort.rawValue) \(query.isDescending ? "DESC" : "ASC"), \(table).id"
  }

  private static func name(_ row: Row) -> Contact.Name {
    Contact.Name(id: row[0], first: row[1], last: row[2], nickname: row[3], gender: row[4], isDead: row[5])
  }

  private func contact(_ row: Row) -> Contact {
    let ids = (row[13] as String?)?.split(separator: ",").compactMap { Int($0) } ?? []
    return Contact(
      name: Self.name(row), description: row[6], isStarred: row[7], job: row[8], company: row[9], birthdate: row[10],
      createdAt: row[11], updatedAt: row[12], tags: tags.filter { ids.contains($0.id) }, notes: row[14],
      activities: row[15], tasks: row[16], gifts: row[17])
  }

  private static func item(_ row: Row) -> ContactItem {
    ContactItem(
      id: row[6], contact: name(row), title: row[7], text: row[8], isMarked: row[9], day: row[10], amount: row[11],
      createdAt: row[12], updatedAt: row[13])
  }
}
