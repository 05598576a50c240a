import Foundation

struct User: Sendable {
  var id: String
  var name: String
  var password: String
  var displayName: String?
  var createdAt: Date

  var json: JSON {
    .make([
      "id": .string(id), "name": .string(name), "displayName": .text(displayName), "createdAt": .date(createdAt),
    ])
  }
}

struct Author: Sendable {
  var id: Int
  var name: String
  var born: String?
  var biography: String?

  var json: JSON {
    .make(["id": .int(id), "name": .string(name), "born": .text(born), "biography": .text(biography)])
  }
}

struct Review: Sendable {
  var id: String
  var book: Int
  var user: String
  var rating: Int
  var text: String
  var spoiler: Bool
  var createdAt: Date

  var json: JSON {
    .make([
      "id": .string(id), "bookId": .int(book), "userId": .string(user), "rating": .int(rating), "text": .string(text),
      "spoiler": .bool(spoiler), "createdAt": .date(createdAt),
    ])
  }
}
