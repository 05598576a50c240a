import HTTPTypes
import Hummingbird

extension Fault {
  /// What is stored is not what was asked for.
  static let memory: [Fault] = [
    around("delete-kept", "deleteAuthor", "204, and the author is still there.") { call, answer in
      let old = (try? call.number("authorId")).flatMap { number in call.shop.state.withLock { $0.authors[number] } }
      let plain = answer(call)
      if plain.isSuccess, let old { call.shop.state.withLock { $0.authors[old.id] = old } }
      return plain
    },
    around("patch-drops", "patchBook", "Optional fields that the body does not name lose their values.") {
      call, answer in
      let plain = answer(call)
      guard plain.isSuccess, let number = try? call.number("bookId"), let body = call.json else { return plain }
      return call.shop.state.withLock { state in
        guard var book = state.books[number] else { return plain }
        if body["subtitle"] == nil { book.subtitle = nil }
        if body["language"] == nil { book.language = nil }
        if body["publishedOn"] == nil { book.publishedOn = nil }
        if body["pages"] == nil { book.pages = nil }
        state.books[number] = book
        return Answer(.ok, book.json, [.eTag: book.entityTag])
      }
    },
    around("put-forgotten", "replaceBook", "Responses with the new price and stock, and keeps the old ones.") {
      call, answer in
      let old = (try? call.number("bookId")).flatMap { number in call.shop.state.withLock { $0.books[number] } }
      let plain = answer(call)
      if plain.isSuccess, let old {
        call.shop.state.withLock { state in
          state.books[old.id]?.price = old.price
          state.books[old.id]?.stock = old.stock
        }
      }
      return plain
    },
    around("author-unlisted", "listAuthors", "Leaves out all authors who were added since the start.") { call, answer in
      var plain = answer(call)
      if let items = plain.body?["items"]?.elements {
        plain.body?["items"] = .array(items.filter { $0["id"]?.whole.map { $0 <= Stock.authorCount } == true })
      }
      return plain
    },
    around("author-unread", "getAuthor", "404 for all authors who were added since the start.") { call, answer in
      guard let number = try? call.number("authorId"), number > Stock.authorCount else { return answer(call) }
      var lost = call
      lost.path["authorId"] = "999999999"
      return answer(lost)
    },
    around("location-nowhere", "createOrder", "`Location` names a path that is not there.") { call, answer in
      var plain = answer(call)
      if let path = plain.headers[.location] { plain.headers[.location] = "/api/v1" + path }
      return plain
    },
    around("tag-stale", "replaceBook", "Takes any entity tag in `If-Match`.") { call, answer in
      var call = call
      if let name = HTTPField.Name("If-Match"), call.headers[name] != nil { call.headers[name] = "*" }
      return answer(call)
    },
    around("limit-exceeded", "listReviews", "A page has one review more than `limit`.") { call, answer in
      var plain = answer(call)
      guard let limit = plain.body?["limit"]?.whole, let offset = plain.body?["offset"]?.whole,
        let number = try? call.number("bookId")
      else { return plain }
      let all = call.shop.state.withLock { $0.reviews[number] ?? [] }
      plain.body?["items"] = .array(all.dropFirst(offset).prefix(limit + 1).map(\.json))
      return plain
    },
    around("cursor-overlap", "listAuthors", "A page begins with the last author of the page before.") { call, answer in
      var call = call
      if let index = call.query.pairs.firstIndex(where: { $0.name == "cursor" }),
        let number = Texts.cursor(call.query.pairs[index].value), number > 0
      {
        call.query.pairs[index].value = "c\(number - 1)"
      }
      return answer(call)
    },
  ]

  /// No response at all.
  static let silences: [Fault] = [
    around("patch-hangs", "patchBook", "Never responses where the body is the empty object.") { call, answer in
      let plain = answer(call)
      guard plain.isSuccess, case .object(let members)? = call.json, members.isEmpty else { return plain }
      try? await Task.sleep(for: .seconds(3600))
      return plain
    },
    around("dimensions-crash", "createBook", "Closes the connection where `dimensions` comes without `depthMm`.") {
      call, answer in
      let plain = answer(call)
      guard plain.isSuccess, let size = call.json?["dimensions"], !size.isNull, size["depthMm"] == nil else {
        return plain
      }
      call.hangUp()
      return plain
    },
    around("range-crossed", "listBooks", "Closes the connection where `minPrice` is above `maxPrice`.") {
      call, answer in
      if let least = call.parameter("minPrice").flatMap(Double.init),
        let most = call.parameter("maxPrice").flatMap(Double.init), least > most
      {
        call.hangUp()
      }
      return answer(call)
    },
  ]
}
