import GRDB

extension LawStore {
  private static let columns = "SELECT id, text, title, category_id, upvotes, downvotes, created_at FROM laws"

  /// The published law `id`, or nil. One look-up by primary key.
  func law(_ id: Int) throws -> Law? {
    try database.unsafeRead { try $0.row(Self.columns + " WHERE id = ?", [id]).map(law) }
  }

  func hasLaw(_ id: Int) throws -> Bool {
    try database.unsafeRead { try $0.row("SELECT 1 FROM laws WHERE id = ?", [id]) != nil }
  }

  /// The requested page and the number of laws on all pages. An index serves the descending orders, and searches from
  /// three letters on; a shorter search scans the laws.
  func laws(_ query: LawQuery) throws -> LawPage {
    let (condition, arguments) = Self.condition(query)
    let direction = query.ascending ? "ASC" : "DESC"
    let order = query.sort == .id ? "id \(direction)" : "\(query.sort.rawValue) \(direction), id"
    let sql = "\(Self.columns)\(condition) ORDER BY \(order) LIMIT ? OFFSET ?"
    return try database.unsafeRead { database in
      let statement = try database.cachedStatement(sql: sql)
      // A cursor copies no row.
      let page = try Array(Row.fetchCursor(statement, arguments: arguments + [query.limit, query.offset]).map(law))
      return LawPage(laws: page, total: try total(query, condition, arguments, database))
    }
  }

  private func total(
    _ query: LawQuery, _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> Int {
    let filter = query.filter
    if let known = totals.withLock({ $0[filter] }) { return known }
    let total = try database.row("SELECT count(*) FROM laws\(condition)", arguments).map { $0[0] } ?? 0
    // Bounded: if it is full, it is emptied.
    totals.withLock { totals in
      if totals.count >= 10_000 { totals.removeAll() }
      totals[filter] = total
    }
    return total
  }

  private static func condition(_ query: LawQuery) -> (sql: String, arguments: StatementArguments) {
    var terms: [String] = []
    var arguments = StatementArguments()
    // SQLite would read a string up to its NUL; no law contains one.
    if query.text.utf8.contains(0) || query.attribution?.utf8.contains(0) == true { return (" WHERE FALSE", arguments) }
    if query.text.unicodeScalars.count >= 3 {
      terms.append("id IN (SELECT rowid FROM law_texts WHERE law_texts MATCH ?)")
      arguments += ["\"" + query.text.replacingScalars("\"", with: "\"\"") + "\""]
    } else if !query.text.isEmpty {
      terms.append("instr(haystack, ?) > 0")
      arguments += [query.text]
    }
    if let category = query.categoryID {
      terms.append("category_id = ?")
      arguments += [category]
    }
    if let name = query.attribution {
      terms.append(
        """
        id IN (SELECT law_id FROM law_attributions JOIN attributions ON attributions.id = attribution_id
        WHERE lower(name) = ?)
        """)
      arguments += [name]
    }
    return (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), arguments)
  }

  private func law(_ row: Row) -> Law {
    let id: Int = row[0]
    return Law(
      id: id, text: row[1], title: row[2], categoryID: row[3], upvotes: row[4], downvotes: row[5], createdAt: row[6],
      attributions: credits[id] ?? [])
  }
}
