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

/// An element that belongs to a contact: an activity, a note, a task or a gift.
struct ContactItem: Sendable, Equatable {
  var id: Int
  var contact: Contact.Name
  var title: String
  /// More about it.
  var text: String?
  /// True for a favourite note, a completed task, or a gift that was given.
  var isMarked: Bool
  /// The time at which it happened or was done, seconds since 1970.
  var day: Int
  /// The price of a gift.
  var amount: Int
  var createdAt: Int
  var updatedAt: Int
}

/// One kind of contact item, with its name in the database and in `object`.
enum ItemKind: String, CaseIterable, Sendable {
  case activity, note, task, gift
}

extension Timestamp {
  /// `2024-01-15`
  fileprivate static func day(_ seconds: Int) -> String { String(text(secondsSince1970: seconds).prefix(10)) }
}

extension JSONWriter {
  mutating func item(_ item: ContactItem, of kind: ItemKind, at base: String) {
    member("id", item.id)
    member("object", kind.rawValue)
    switch kind {
    case .activity:
      member("summary", item.title)
      member("description", item.text)
      member("happened_at", Timestamp.day(item.day))
      member("attendees") { json in
        json.member("total", 1)
        json.member("contacts", each: [item.contact]) { $0.shortContact($1) }
      }
      member("url", "\(base)/api/activities/\(item.id)")
    case .note:
      member("body", item.text ?? item.title)
      member("is_favorited", item.isMarked)
      member("favorited_at", item.isMarked ? Timestamp.text(secondsSince1970: item.day) : nil)
    case .task:
      member("title", item.title)
      member("description", item.text)
      member("completed", item.isMarked)
      member("completed_at", item.isMarked ? Timestamp.text(secondsSince1970: item.day) : nil)
    case .gift:
      member("name", item.title)
      member("comment", item.text)
      member("url", item.id % 3 == 0 ? "https://shop.example.com/items/\(item.id)" : nil)
      member("amount", "\(item.amount).00")
      member("value", "\(item.amount).00")
      member("amount_with_currency", "$\(item.amount).00")
      member("status", item.isMarked ? "offered" : "idea")
      member("date", item.isMarked ? Timestamp.day(item.day) : nil)
    }
    member("contact") { $0.shortContact(item.contact) }
    account()
    stamps(item.createdAt, item.updatedAt)
  }
}
