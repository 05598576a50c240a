/// Something that belongs to a contact: an activity, a note, a task or a gift.
struct ContactItem: Sendable, Equatable {
  var id: Int
  var contact: Contact.Name
  /// What it is called.
  var title: String
  /// More about it.
  var text: String?
  /// A favourite note, a task that is done, a gift that was given.
  var isMarked: Bool
  /// When it happens or was done, seconds since 1970.
  var day: Int
  /// What a gift costs.
  var amount: Int
  var createdAt: Int
  var updatedAt: Int
}

/// One kind of what belongs to contacts: where it is listed, and how it is written.
protocol ItemKind: Sendable {
  static var operation: Operation { get }
  /// As the database calls it.
  static var name: String { get }

  /// The members between `object` and `contact`.
  static func write(_ item: ContactItem, at base: String, _ json: inout JSONWriter)
}

enum ActivityKind: ItemKind {
  static let operation = Operation.listContactActivities
  static let name = "activity"

  static func write(_ item: ContactItem, at base: String, _ json: inout JSONWriter) {
    json.member("summary", item.title)
    json.member("description", item.text)
    json.member("happened_at", Timestamp.day(item.day))
    json.member("attendees") { json in
      json.member("total", 1)
      json.member("contacts", each: [item.contact]) { $0.shortContact($1) }
    }
    json.member("url", "\(base)/api/activities/\(item.id)")
  }
}

enum NoteKind: ItemKind {
  static let operation = Operation.listContactNotes
  static let name = "note"

  static func write(_ item: ContactItem, at base: String, _ json: inout JSONWriter) {
    json.member("body", item.text ?? item.title)
    json.member("is_favorited", item.isMarked)
    json.member("favorited_at", item.isMarked ? Timestamp.text(secondsSince1970: item.day) : nil)
  }
}

enum TaskKind: ItemKind {
  static let operation = Operation.listContactTasks
  static let name = "task"

  static func write(_ item: ContactItem, at base: String, _ json: inout JSONWriter) {
    json.member("title", item.title)
    json.member("description", item.text)
    json.member("completed", item.isMarked)
    json.member("completed_at", item.isMarked ? Timestamp.text(secondsSince1970: item.day) : nil)
  }
}

enum GiftKind: ItemKind {
  static let operation = Operation.listContactGifts
  static let name = "gift"

  static func write(_ item: ContactItem, at base: String, _ json: inout JSONWriter) {
    json.member("name", item.title)
    json.member("comment", item.text)
    json.member("url", item.id % 3 == 0 ? "https://shop.example.com/items/\(item.id)" : nil)
    json.member("amount", "\(item.amount).00")
    json.member("value", "\(item.amount).00")
    json.member("amount_with_currency", "$\(item.amount).00")
    json.member("status", item.isMarked ? "offered" : "idea")
    json.member("date", item.isMarked ? Timestamp.day(item.day) : nil)
  }
}

extension Timestamp {
  /// `2024-01-15`
  fileprivate static func day(_ seconds: Int) -> String { String(text(secondsSince1970: seconds).prefix(10)) }
}

extension JSONWriter {
  mutating func item<Kind: ItemKind>(_ item: ContactItem, of kind: Kind.Type, at base: String) {
    object { json in
      json.member("id", item.id)
      json.member("object", Kind.name)
      Kind.write(item, at: base, &json)
      json.name("contact")
      json.shortContact(item.contact)
      json.account()
      json.stamps(item.createdAt, item.updatedAt)
    }
  }
}
