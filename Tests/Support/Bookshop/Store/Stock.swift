/// What the shop has from the start.
enum Stock {
  static let names = ["ada", "grace"]

  static var state: State {
    var state = State()
    for name in names { _ = state.addUser(name, "correct horse", displayName: nil) }
    for (name, born) in authors {
      let number = state.authorNumber()
      state.authors[number] = Author(id: number, name: name, born: born)
    }
    for row in books {
      var book = Book(title: row.title, isbn: row.isbn, price: row.price, genre: row.genre, authors: [row.author])
      book.id = state.bookNumber()
      book.version = state.change()
      book.publishedOn = row.publishedOn
      book.stock = 3 * book.id % 7
      book.language = "en"
      state.books[book.id] = book
    }
    return state
  }

  static var authorCount: Int { authors.count }

  private static let authors = [
    ("Mary Shelley", "1797-08-30"), ("Jules Verne", "1828-02-08"), ("Emily Dickinson", "1830-12-10"),
    ("Charles Darwin", "1809-02-12"), ("Wilkie Collins", "1824-01-08"), ("Edith Nesbit", "1858-08-15"),
  ]

  private struct Row {
    var title: String
    var isbn: String
    var price: Double?
    var genre: String
    var author: Int
    var publishedOn: String?
  }

  private static let books = [
    Row(
      title: "Frankenstein", isbn: "9780141439471", price: 8.5, genre: "fiction", author: 1, publishedOn: "1818-01-01"),
    Row(
      title: "The Last Man", isbn: "9780199552351", price: 10.25, genre: "fiction", author: 1, publishedOn: "1826-02-01"
    ),
    Row(title: "The Mysterious Island", isbn: "9780812972122", price: 14, genre: "fantasy", author: 2),
    Row(
      title: "Around the Moon", isbn: "9780486227313", price: nil, genre: "fantasy", author: 2,
      publishedOn: "1869-11-04"),
    Row(
      title: "Complete Poems", isbn: "9780316184137", price: 21.75, genre: "poetry", author: 3,
      publishedOn: "1955-01-01"),
    Row(
      title: "The Origin of Species", isbn: "9780451529060", price: 6.25, genre: "science", author: 4,
      publishedOn: "1859-11-24"),
    Row(title: "The Voyage of the Beagle", isbn: "9780140432688", price: 12, genre: "history", author: 4),
    Row(
      title: "The Moonstone", isbn: "9780140434088", price: 7.75, genre: "crime", author: 5, publishedOn: "1868-07-01"),
    Row(
      title: "The Woman in White", isbn: "9780141439617", price: 9, genre: "crime", author: 5, publishedOn: "1860-08-15"
    ),
    Row(
      title: "Five Children and It", isbn: "9780141321615", price: nil, genre: "children", author: 6,
      publishedOn: "1902-01-01"),
    Row(
      title: "The Railway Children", isbn: "9780141321608", price: 5.25, genre: "children", author: 6,
      publishedOn: "1906-01-01"),
  ]
}
