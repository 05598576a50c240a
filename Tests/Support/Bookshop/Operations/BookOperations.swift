import Foundation
import HTTPTypes
import Hummingbird

enum BookOperations {
  static let all: [Operation] = [
    .get("listBooks", "/books", isOpen: true, list),
    .get("getBook", "/books/{bookId}", isOpen: true, book),
    .delete("deleteBook", "/books/{bookId}", delete),
  ]

  enum Sort: String, CaseIterable {
    case id
    case title
    case titleDown = "-title"
    case price
    case priceDown = "-price"
    case publishedOn
    case publishedOnDown = "-publishedOn"
  }

  private static func list(_ call: Call) throws -> Answer {
    let (limit, offset) = try call.page()
    let text = try call.query.text("q", length: 1...100)?.lowercased()
    let genre = try call.query.choice("genre", Genre.self)
    let least = try call.query.number("minPrice", 0...10_000)
    let most = try call.query.number("maxPrice", 0...10_000)
    let inStock = try call.query.flag("inStock")
    let tags = try call.query.tags("tag")
    let sort = try call.query.choice("sort", Sort.self) ?? .id
    let books = call.shop.state.withLock { Array($0.books.values) }.filter { book in
      (text == nil || book.title.lowercased().contains(text ?? ""))
        && (genre == nil || book.genre == genre?.rawValue)
        && (book.price ?? 0) >= least ?? 0 && (book.price ?? 0) <= most ?? .infinity
        && (inStock == nil || inStock == (book.stock > 0))
        && tags.allSatisfy { tag in book.tags.contains { $0.utf8.elementsEqual(tag.utf8) } }
    }
    let page = sorted(books, sort).dropFirst(offset).prefix(limit)
    let body = JSON.make([
      "items": .array(page.map(\.json)), "total": .int(books.count), "limit": .int(limit), "offset": .int(offset),
    ])
    return Answer(.ok, body, HTTPField.Name("X-Total-Count").map { [$0: String(books.count)] } ?? [:])
  }

  private static func sorted(_ books: [Book], _ sort: Sort) -> [Book] {
    let books = books.sorted { $0.id < $1.id }
    func by<Key: Comparable>(_ key: (Book) -> Key?, down: Bool) -> [Book] {
      let known = books.filter { key($0) != nil }
      let ordered = known.sorted { one, other in
        guard let first = key(one), let second = key(other) else { return false }
        return down ? first > second : first < second
      }
      return ordered + books.filter { key($0) == nil }
    }
    return switch sort {
    case .id: books
    case .title: by({ $0.title }, down: false)
    case .titleDown: by({ $0.title }, down: true)
    case .price: by({ $0.price }, down: false)
    case .priceDown: by({ $0.price }, down: true)
    case .publishedOn: by({ $0.publishedOn }, down: false)
    case .publishedOnDown: by({ $0.publishedOn }, down: true)
    }
  }

  private static func book(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    let known = try call.condition("If-None-Match")
    let book = try call.shop.state.withLock { try $0.book(number) }
    if known?.holds(book, weakly: true) == true {
      return Answer(.notModified, nil, [.eTag: book.entityTag])
    }
    return Answer(.ok, book.json, [.eTag: book.entityTag])
  }

  private static func delete(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    return try call.shop.state.withLock { state in
      guard state.books.removeValue(forKey: number) != nil else { throw Problem.notFound("book") }
      state.reviews[number] = nil
      for user in state.carts.keys { state.carts[user]?[number] = nil }
      return .empty
    }
  }
}
