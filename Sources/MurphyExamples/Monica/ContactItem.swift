import MurphyServer

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
