extension Fault {
  /// 500 for input that is allowed, or that should be refused.
  static let crashes: [Fault] = [
    crash("search-emoji", "listBooks", "500 where `q` has a character beyond U+FFFF.") { call in
      call.parameter("q")?.unicodeScalars.contains { $0.value > 0xFFFF } == true
    },
    crash("offset-huge", "listBooks", "500 where `offset` does not fit into 32 bits.") { call in
      call.parameter("offset").flatMap(Query.integer).map { $0 > 2_147_483_647 } == true
    },
    crash("limit-exponent", "listBooks", "500 where `limit` has an exponent.") { call in
      call.parameter("limit").map { Int($0) == nil && Double($0) != nil && $0.contains("e") } == true
    },
    crash("note-empty", "createOrder", "500 where `note` is the empty string.") { call in
      call.json?["note"]?.text?.isEmpty == true
    },
    crash("offset-negative", "listReviews", "500 in place of 400 where `offset` is below 0.") { call in
      call.parameter("offset").flatMap(Query.integer).map { $0 < 0 } == true
    },
    crash("subtitle-null", "createBook", "500 where `subtitle` is null.") { call in
      call.json?["subtitle"]?.isNull == true
    },
    crash("body-deep", "createAuthor", "500 where the body is nested deeper than 32 levels.") { call in
      var depth = 0
      var deepest = 0
      for byte in call.body {
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        deepest = max(deepest, depth)
      }
      return deepest > 32
    },
    crash("review-long", "createReview", "500 where `text` has more than 1000 characters; 2000 are allowed.") { call in
      (call.json?["text"]?.text?.unicodeScalars.count).map { (1001...2000).contains($0) } == true
    },
    crash("genre-sorted", "listBooks", "500 where `genre` comes with `sort=-price`.") { call in
      call.parameter("genre") != nil && call.parameter("sort") == "-price"
    },
    around("isbn-twice", "createBook", "500 in place of 409 where another book has the ISBN.") { call, answer in
      let plain = answer(call)
      let isbn = call.json?["isbn"]?.text
      let isTaken = call.shop.state.withLock { state in state.books.values.contains { $0.isbn == isbn } }
      return plain.status == .conflict && isTaken ? .crash : plain
    },
  ]
}
