import GRDB

/// A category with the number of its published laws.
struct Category: Sendable, Equatable {
  var id: Int
  var title: String
  var slug: String
  var description: String?
  var lawCount: Int
}

/// An attribution with the number of its published laws.
struct CreditedAttribution: Sendable, Equatable {
  var attribution: Attribution
  var lawCount: Int
}

extension Store {
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
    let value: String? = row[3]
    let contact: Attribution.Contact? = value.map { (row[2] as String) == "url" ? .url($0) : .email($0) }
    return Attribution(id: row[0], name: row[1], contact: contact)
  }
}
