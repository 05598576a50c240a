import Foundation
import GRDB

/// A law that somebody proposes.
struct Submission: Sendable, Equatable {
  var text: String
  var title: String?
  var author: String?
  var email: String?
  var categoryID: Int
}

extension Store {
  /// Stores a submission for review and returns its id, which no law has.
  func submit(_ submission: Submission) throws -> Int {
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO submissions (text, title, author, email, category_id, submitted_at) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          submission.text, submission.title, submission.author, submission.email, submission.categoryID,
          Timestamp.text(secondsSince1970: Int(Date().timeIntervalSince1970)),
        ])
      return Int(database.lastInsertedRowID)
    }
  }

  /// Puts an email into the outbox, where it stays: the reference API sends none.
  func post(to email: String, subject: String, body: String) throws {
    try database.write { database in
      try database.execute(
        sql: "INSERT INTO outbox (email, subject, body) VALUES (?, ?, ?)", arguments: [email, subject, body])
    }
  }
}
