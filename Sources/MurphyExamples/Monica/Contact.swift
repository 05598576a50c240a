import MurphyServer

/// A contact with all fields of its own response.
struct Contact: Sendable, Equatable {
  /// The fields of a contact wherever it is named.
  struct Name: Sendable, Equatable {
    var id: Int
    var first: String
    var last: String?
    var nickname: String?
    /// `Man`, `Woman` or `Rather not say`.
    var gender: String
    var isDead: Bool
  }

  var name: Name
  var description: String?
  var isStarred: Bool
  var job: String?
  var company: String?
  /// Seconds since 1970; nil if it is not known.
  var birthdate: Int?
  /// Seconds since 1970.
  var createdAt: Int
  var updatedAt: Int
  var tags: [Tag]
  var notes: Int
  var activities: Int
  var tasks: Int
  var gifts: Int
}

/// A label for contacts.
struct Tag: Sendable, Equatable {
  var id: Int
  var name: String
  /// The name in URLs: `old-friends`.
  var slug: String
  /// Seconds since 1970.
  var createdAt: Int
}

extension Contact.Name {
  var complete: String { [first, last].compactMap { $0 }.joined(separator: " ") }

  var initials: String { String([first, last].compactMap { $0?.first }) }

  /// A name in URLs that hides the number.
  var hash: String { "h:" + String(id &* 7_919 &+ 1_000_003, radix: 36) }
}

extension JSONWriter {
  /// A contact in the form of `#/components/schemas/Contact`.
  mutating func contact(_ contact: Contact, at base: String) {
    names(contact.name)
    member("description", contact.description)
    member("is_starred", contact.isStarred)
    member("is_active", true)
    member("information") { json in
      json.member("dates") { json in
        json.date("birthdate", contact.birthdate)
        json.date("deceased_date", contact.name.isDead ? contact.updatedAt : nil)
      }
      json.member("career") { json in
        json.member("job", contact.job)
        json.member("company", contact.company)
      }
      json.member("avatar") { json in
        json.member("url", "\(base)/storage/avatars/\(contact.name.id).jpg")
        json.member("source", "default")
        json.member("default_avatar_color", ["#fdb660", "#93521e", "#bd5067", "#b3d5fe"][contact.name.id % 4])
      }
    }
    member("tags", each: contact.tags) { $0.tag($1) }
    member("statistics") { json in
      json.member("number_of_notes", contact.notes)
      json.member("number_of_activities", contact.activities)
      json.member("number_of_tasks", contact.tasks)
      json.member("number_of_gifts", contact.gifts)
    }
    member("url", "\(base)/api/contacts/\(contact.name.id)")
    account()
    stamps(contact.createdAt, contact.updatedAt)
  }

  /// A contact in short form.
  mutating func shortContact(_ name: Contact.Name) {
    names(name)
    account()
  }

  mutating func tag(_ tag: Tag) {
    member("id", tag.id)
    member("object", "tag")
    member("name", tag.name)
    member("name_slug", tag.slug)
    account()
    stamps(tag.createdAt, tag.createdAt)
  }

  mutating func account() { member("account") { $0.member("id", MonicaStore.account) } }

  /// `created_at` and `updated_at`, seconds since 1970.
  mutating func stamps(_ created: Int, _ updated: Int) {
    member("created_at", Timestamp.text(secondsSince1970: created))
    member("updated_at", Timestamp.text(secondsSince1970: updated))
  }

  private mutating func names(_ name: Contact.Name) {
    member("id", name.id)
    member("object", "contact")
    member("hash_id", name.hash)
    member("first_name", name.first)
    member("last_name", name.last)
    member("nickname", name.nickname)
    member("complete_name", name.complete)
    member("initials", name.initials)
    member("gender", name.gender)
    member("gender_type", ["Man": "M", "Woman": "F"][name.gender] ?? "O")
    member("is_partial", false)
    member("is_dead", name.isDead)
    member("is_me", name.id == 1)
  }

  private mutating func date(_ name: StaticString, _ seconds: Int?) {
    member(name) { json in
      json.member("is_age_based", seconds == nil ? nil : false)
      json.member("is_year_unknown", seconds == nil ? nil : false)
      json.member("date", seconds.map { Timestamp.text(secondsSince1970: $0) })
    }
  }
}
