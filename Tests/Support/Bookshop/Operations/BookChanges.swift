import Foundation
import HTTPTypes
import Hummingbird

/// Adding, replacing and patching books.
enum BookChanges {
  static let all: [Operation] = [
    .post("createBook", "/books", create),
    .put("replaceBook", "/books/{bookId}", replace),
    Operation(
      id: "patchBook", method: .patch, path: "/books/{bookId}", media: "application/merge-patch+json", handle: patch),
  ]

  private static let names = [
    "title", "subtitle", "isbn", "price", "genre", "language", "publishedOn", "pages", "stock", "tags", "authorIds",
    "dimensions",
  ]

  private static func create(_ call: Call) throws -> Answer {
    let draft = try read(call, "BookInput", .required, onto: Book())
    return try call.shop.state.withLock { state in
      try check(draft, state)
      var book = draft
      book.id = state.bookNumber()
      book.version = state.change()
      state.books[book.id] = book
      return .created(book.json, at: "/books/\(book.id)", [.eTag: book.entityTag])
    }
  }

  private static func replace(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    let tag = try call.condition("If-Match")
    let old = try call.shop.state.withLock { try $0.book(number) }
    guard let tag else { throw Problem(.preconditionRequired, "`If-Match` is missing.", field: "If-Match") }
    let draft = try read(call, "BookInput", .required, onto: Book(id: number, createdAt: old.createdAt))
    return try keep(draft, tag, call)
  }

  private static func patch(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    let tag = try call.condition("If-Match")
    let old = try call.shop.state.withLock { try $0.book(number) }
    return try keep(try read(call, "BookPatch", .optional, onto: old), tag, call)
  }

  private static func keep(_ draft: Book, _ tag: Condition?, _ call: Call) throws -> Answer {
    try call.shop.state.withLock { state in
      let old = try state.book(draft.id)
      guard tag?.holds(old, weakly: false) != false else {
        throw Problem(
          .preconditionFailed, "The book has changed: its entity tag is \(old.entityTag).", field: "If-Match")
      }
      try check(draft, state)
      var book = draft
      book.version = state.change()
      book.updatedAt = .now
      state.books[book.id] = book
      return Answer(.ok, book.json, [.eTag: book.entityTag])
    }
  }

  private static func check(_ book: Book, _ state: State) throws {
    guard !state.books.values.contains(where: { $0.isbn == book.isbn && $0.id != book.id }) else {
      throw Problem.conflict("Another book has this ISBN.")
    }
    if let number = book.authors.first(where: { state.authors[$0] == nil }) {
      throw Problem.conflict("There is no author \(number).")
    }
  }

  /// The book as the body wants it; what the body leaves out stays as it is in `old`.
  private static func read(_ call: Call, _ schema: String, _ need: Fields.Need, onto old: Book) throws -> Book {
    let fields = try call.fields(schema, names: names)
    var book = old
    book.title = try fields.text("title", need, length: 1...200).value ?? old.title
    book.subtitle = try fields.text("subtitle", nullable: true, length: 0...200).replacing(old.subtitle)
    book.isbn = try fields.text("isbn", need, pattern: Texts.isISBN).value ?? old.isbn
    book.price = try fields.price("price", need).replacing(old.price)
    book.genre = try fields.choice("genre", need, Genre.self).value ?? old.genre
    book.language = try fields.text("language", nullable: true, pattern: Texts.isLanguage).replacing(old.language)
    book.publishedOn = try fields.text("publishedOn", nullable: true, pattern: Texts.isDate).replacing(old.publishedOn)
    book.pages = try fields.integer("pages", 1...20_000, nullable: true).replacing(old.pages)
    book.stock = try fields.integer("stock", 0...100_000).value ?? old.stock
    book.tags = try fields.texts("tags", length: 1...30).value ?? old.tags
    book.authors = try fields.integers("authorIds", 1...2_147_483_647).value ?? old.authors
    book.dimensions = try fields.object("dimensions", .optional, nullable: true) {
      try dimensions($0, call.skipped)
    }.replacing(old.dimensions)
    return book
  }

  private static func dimensions(_ value: JSON, _ skipped: Check?) throws -> Dimensions {
    let names = ["widthMm", "heightMm", "depthMm"]
    let fields = try Fields(value, "Dimensions", names: names, skipped: skipped, field: "dimensions")
    return Dimensions(
      width: try fields.integer("widthMm", 1...2000, .required).value ?? 1,
      height: try fields.integer("heightMm", 1...2000, .required).value ?? 1,
      depth: try fields.integer("depthMm", 1...500).value)
  }
}
