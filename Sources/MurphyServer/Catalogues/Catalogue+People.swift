extension Catalogue {
  /// Invented contributors: one in three with a web page, one in three with an email address, the rest unreachable.
  static func people() -> [Attribution] {
    let given = [
      "Ada", "Basil", "Clara", "Dmitri", "Edna", "Fergus", "Greta", "Hugo", "Imogen", "Jasper", "Keiko", "Lionel",
    ]
    let family = ["Bungle", "Crumpet", "Drizzle", "Fumble", "Glitch", "Hiccup", "Mishap", "Snag"]
    return given.enumerated().flatMap { row, first in
      family.enumerated().compactMap { column, last in
        guard (row + column) % 2 == 0 else { return nil }
        let handle = "\(first).\(last)".lowercased()
        let contact: Attribution.Contact? =
          switch (row * family.count + column) % 3 {
          case 0: .url("https://\(last.lowercased()).example.org/~\(first.lowercased())")
          case 1: .email("\(handle)@example.com")
          default: nil
          }
        return Attribution(id: 0, name: "\(first) \(last)", contact: contact)
      }
    }
  }
}
