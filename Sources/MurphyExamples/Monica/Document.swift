import Foundation
import GRDB
import MurphyServer

/// A file that belongs to a contact.
struct Document: Sendable, Equatable {
  var contact: Contact.Name
  /// The name of the file on the client.
  var name: String
  /// Its media type, as the client sent it.
  var type: String
  var content: Data
}

/// A document as the database has it.
struct StoredDocument: Sendable, Equatable {
  var id: Int
  var document: Document
  /// The number of stored bytes.
  var size: Int
  /// Seconds since 1970.
  var createdAt: Int
}

extension MonicaEndpoints {
  /// `POST /api/documents`: uploads a file for a contact.
  func createDocument(_ incoming: Incoming) async throws -> Work {
    let form = try await incoming.multipart(limit: 1 << 20)
    try form.check(known: ["contact_id", "document"])
    let id = try QueryString.integer(try form.text("contact_id"), "contact_id", 1...1_000_000_000)
    let file = try form.file("document")
    guard let contact = try store.contact(id) else { throw Self.notFound }
    let document = Document(
      contact: contact.name, name: file.fileName ?? "", type: String(file.type.prefix(100)), content: file.content)
    return Work {
      let stored = try await hooks.document(document, of: .createDocument) { try store.add($0) }
      return .json(.created) { json in json.member("data") { $0.document(stored) } }
    }
  }
}

extension MonicaStore {
  /// Stores a document.
  fileprivate func add(_ document: Document) throws -> StoredDocument {
    try database.write { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          INSERT INTO documents (contact_id, name, type, content, created_at) VALUES (?, ?, ?, ?, unixepoch())
          RETURNING id, length(content), created_at
          """,
        arguments: [document.contact.id, document.name, document.type, document.content])
      guard let row else { throw ServerError("a document that was stored is missing") }
      return StoredDocument(id: row[0], document: document, size: row[1], createdAt: row[2])
    }
  }
}

extension JSONWriter {
  /// A document in the form of `#/components/schemas/Document`.
  fileprivate mutating func document(_ stored: StoredDocument) {
    member("id", stored.id)
    member("object", "document")
    member("original_filename", stored.document.name)
    member("filesize", stored.size)
    member("type", stored.document.type)
    member("contact") { $0.shortContact(stored.document.contact) }
    account()
    stamps(stored.createdAt, stored.createdAt)
  }
}

extension Fault {
  static let documentFaults = [
    Fault(
      "upload-loses-bytes", .state, on: .createDocument, frequency: .oneIn(3), "one upload in 3 loses its last byte",
      .before(\.monica.document) { $0.content = $0.content.dropLast() })
  ]
}
