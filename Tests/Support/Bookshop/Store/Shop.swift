import Foundation
import Synchronization

/// All that the shop knows, in memory.
final class Shop: Sendable {
  let state: Mutex<State>

  init() { state = Mutex(Stock.state) }
}

struct State {
  var users: [String: User] = [:]
  /// The user of each token.
  var tokens: [String: String] = [:]
  var books: [Int: Book] = [:]
  var authors: [Int: Author] = [:]
  /// The reviews of each book, oldest first.
  var reviews: [Int: [Review]] = [:]
  /// The cart of each user, by the number of the book.
  var carts: [String: [Int: Int]] = [:]
  /// In the order of their making.
  var orders: [Order] = []
  var jobs: [String: Job] = [:]
  /// The orders that were asked for with an idempotency key.
  var replays: [Replay: (body: [UInt8], answer: Answer)] = [:]
  private var last = 0
  private var lastBook = 0
  private var lastAuthor = 0

  struct Replay: Hashable {
    var user: String
    var key: String
  }

  /// A number that was not there before, for entity tags.
  mutating func change() -> Int {
    last += 1
    return last
  }

  mutating func bookNumber() -> Int {
    lastBook += 1
    return lastBook
  }

  /// Whether there was a book of this number.
  func hasHadBook(_ number: Int) -> Bool { number <= lastBook }

  mutating func authorNumber() -> Int {
    lastAuthor += 1
    return lastAuthor
  }

  mutating func addUser(_ name: String, _ password: String, displayName: String?) -> User {
    let user = User(id: UUID().lower, name: name, password: password, displayName: displayName, createdAt: .now)
    users[user.id] = user
    return user
  }

  mutating func addToken(of user: String) -> String {
    let token = UUID().lower.filter { $0 != "-" }
    tokens[token] = user
    return token
  }

  func book(_ number: Int) throws -> Book {
    guard let book = books[number] else { throw Problem.notFound("book") }
    return book
  }
}

extension UUID {
  var lower: String { uuidString.lowercased() }
}

extension JSON {
  /// A moment as in RFC 3339.
  static func date(_ date: Date) -> JSON { .string(date.formatted(.iso8601)) }

  static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
