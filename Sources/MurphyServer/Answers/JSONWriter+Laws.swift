extension JSONWriter {
  /// A law as `#/components/schemas/Law` has it, or as the faults have it.
  mutating func law(_ law: Law, _ flaws: LawFlaws = []) {
    object { json in
      json.name("id")
      json.integer(law.id)
      json.name("text")
      json.string(
        flaws.contains(.longText) ? String(repeating: law.text + " ", count: 1 + 1000 / law.text.count) : law.text)
      json.name("title")
      if flaws.contains(.invalidUTF8) { json.raw([0x22, 0xC3, 0x28, 0xFF, 0x22]) } else { json.string(law.title) }
      json.name("category_id")
      json.integer(law.categoryID)
      json.name("upvotes")
      if flaws.contains(.numberAsString) { json.string(String(law.upvotes)) } else { json.integer(law.upvotes) }
      json.name("downvotes")
      json.integer(law.downvotes)
      if !flaws.contains(.missingField) {
        json.name("created_at")
        json.string(flaws.contains(.badDate) ? law.createdAt.dateWithoutZone : law.createdAt)
      }
      json.name("attributions")
      json.array { json in
        for attribution in law.attributions { json.object { $0.members(of: attribution) } }
      }
    }
  }

  /// Name and contact, within an object.
  mutating func members(of attribution: Attribution, type: String? = nil) {
    name("name")
    string(attribution.name)
    name("contact_type")
    switch attribution.contact {
    case .url(let value):
      string(type ?? "url")
      name("contact_value")
      string(value)
    case .email(let value):
      string(type ?? "email")
      name("contact_value")
      string(value)
    case nil:
      string(type)
      name("contact_value")
      null()
    }
  }
}

/// What is wrong with a law as it is written.
struct LawFlaws: OptionSet {
  let rawValue: UInt8

  static let missingField = LawFlaws(rawValue: 1)
  static let badDate = LawFlaws(rawValue: 2)
  static let longText = LawFlaws(rawValue: 4)
  static let invalidUTF8 = LawFlaws(rawValue: 8)
  static let numberAsString = LawFlaws(rawValue: 16)
}

extension String {
  /// `2024-01-15T10:30:00Z` as `2024-01-15 10:30:00`.
  fileprivate var dateWithoutZone: String { String(map { $0 == "T" ? " " : $0 }.dropLast()) }
}
