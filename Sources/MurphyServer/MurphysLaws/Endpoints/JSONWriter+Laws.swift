extension JSONWriter {
  /// A law as `#/components/schemas/Law` has it.
  mutating func law(_ law: Law) {
    object { json in
      json.name("id")
      json.integer(law.id)
      json.name("text")
      json.string(law.text)
      json.name("title")
      json.string(law.title)
      json.name("category_id")
      json.integer(law.categoryID)
      json.name("upvotes")
      json.integer(law.upvotes)
      json.name("downvotes")
      json.integer(law.downvotes)
      json.name("created_at")
      json.string(law.createdAt)
      json.name("attributions")
      json.array { json in
        for attribution in law.attributions { json.object { $0.members(of: attribution) } }
      }
    }
  }

  /// Name and contact, within an object.
  mutating func members(of attribution: Attribution) {
    name("name")
    string(attribution.name)
    name("contact_type")
    switch attribution.contact {
    case .url(let value):
      string("url")
      name("contact_value")
      string(value)
    case .email(let value):
      string("email")
      name("contact_value")
      string(value)
    case nil:
      null()
      name("contact_value")
      null()
    }
  }
}
