import HTTPTypes
import Hummingbird

extension Fault {
  /// Responses that break the document in a corner.
  static let corners: [Fault] = [
    around("deleted-gone", "getBook", "410, which is not documented, for a book that was deleted.") { call, answer in
      let plain = answer(call)
      guard plain.status == .notFound, let number = try? call.number("bookId") else { return plain }
      let isOld = call.shop.state.withLock { $0.hasHadBook(number) }
      return isOld ? Problem(.gone, "The book was deleted.").answer : plain
    },
    around("price-free", "getBook", "The price of a free book is the empty string.") { call, answer in
      var plain = answer(call)
      if plain.body?["price"]?.isNull == true { plain.body?["price"] = .string("") }
      return plain
    },
    around("list-null", "listReviews", "`items` is null where there are no reviews.") { call, answer in
      var plain = answer(call)
      if plain.body?["items"]?.elements?.isEmpty == true { plain.body?["items"] = .null }
      return plain
    },
    around("second-page", "listBooks", "`total` is missing on every page but the first.") { call, answer in
      var plain = answer(call)
      if let offset = plain.body?["offset"]?.whole, offset > 0 { plain.body?["total"] = nil }
      return plain
    },
    around("location-missing", "createReview", "201 comes without `Location`.") { call, answer in
      var plain = answer(call)
      plain.headers[.location] = nil
      return plain
    },
    around("sql-shown", "getAuthor", "404 shows the query of the database.") { call, answer in
      var plain = answer(call)
      guard plain.status == .notFound else { return plain }
      let number = call.path["authorId"] ?? ""
      plain.body?["detail"] = .string(
        "no rows in result set: SELECT id, name, born FROM public.authors WHERE id = \(number) LIMIT 1")
      return plain
    },
    around("trace-shown", "createToken", "400 for a malformed body shows the stack.") { call, answer in
      var plain = answer(call)
      guard plain.status == .badRequest else { return plain }
      plain.body?["detail"] = .string(
        """
        SyntaxError: Unexpected token in JSON at position 0
            at JSON.parse (<anonymous>)
            at parse (/srv/bookshop/node_modules/body-parser/lib/types/json.js:89:19)
            at /srv/bookshop/node_modules/body-parser/lib/read.js:128:18
        """)
      return plain
    },
    around("head-refused", "getBook", "501 for `HEAD`.", ofPath: true) { call, answer in
      call.method == .head ? Answer(.notImplemented) : answer(call)
    },
    around("method-any", "getCart", "Any other method is answered like `GET`.", ofPath: true) { call, answer in
      var call = call
      if ![.get, .head, .delete].contains(call.method) { call.method = .get }
      return answer(call)
    },
  ]
}
