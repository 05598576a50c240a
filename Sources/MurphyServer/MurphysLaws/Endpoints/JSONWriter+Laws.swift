extension JSONWriter {
  /// A law as `#/components/schemas/Law` has it.
  mutating func law(_ law: Law) {
    object { json in
      json.member("id", law.id)
      json.member("text", law.text)
      json.member("title", law.title)
      json.member("category_id", law.categoryID)
      json.member("upvotes", law.upvotes)
      json.member("downvotes", law.downvotes)
      json.member("created_at", law.createdAt)
      json.member("attributions", each: law.attributions) { json, attribution in
        json.object { $0.members(of: attribution) }
      }
    }
  }

  /// Name and contact, within an object.
  mutating func members(of attribution: Attribution) {
    member("name", attribution.name)
    member("contact_type", attribution.contactType)
    member("contact_value", attribution.contactValue)
  }
}
