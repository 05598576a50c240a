extension Fault {
  /// What the document forbids and the server takes.
  static let unchecked: [Fault] = [
    skip("title-long", "createBook", "BookInput", "title", .maxLength, "Takes a title of any length."),
    skip("rating-low", "createReview", "ReviewInput", "rating", .minimum, "Takes a rating below 1."),
    skip("isbn-any", "createBook", "BookInput", "isbn", .pattern, "Takes any text as an ISBN."),
    skip("genre-any", "replaceBook", "BookInput", "genre", .choice, "Takes any text as a genre."),
    skip("city-missing", "createOrder", "Address", "city", .required, "Takes an address without a city."),
    skip("cart-extra", "putCartItem", "CartItemInput", "", .additionalProperties, "Takes fields that there are not."),
    skip("tags-twice", "patchBook", "BookPatch", "tags", .uniqueItems, "Takes the same tag twice."),
    skip("price-odd", "patchBook", "BookPatch", "price", .multipleOf, "Takes a price that is no multiple of 0.25."),
    around("author-as-text", "createAuthor", "Takes a body of any media type.") { call, answer in
      var call = call
      call.headers[.contentType] = "application/json"
      return answer(call)
    },
    around("patch-malformed", "patchBook", "Takes a body that is not JSON for an empty object.") { call, answer in
      var call = call
      if call.json == nil { call.body = Array("{}".utf8) }
      return answer(call)
    },
  ]

  /// What the document allows and the server refuses.
  static let refusals: [Fault] = [
    around("limit-hundred", "listBooks", "400 for `limit=100`, which is the maximum.") { call, answer in
      guard call.parameter("limit") == "100" else { return answer(call) }
      return Problem.badRequest("The parameter must be below 100.", field: "limit").answer
    },
    around("born-required", "createAuthor", "422 without `born`, which is optional.") { call, answer in
      let plain = answer(call)
      guard plain.isSuccess, call.json?["born"] == nil else { return plain }
      if let id = plain.body?["id"]?.whole { call.shop.state.withLock { $0.authors[id] = nil } }
      return Problem.unprocessable("The field is missing.", field: "born").answer
    },
    around("title-units", "createBook", "422 where `title` has more than 200 UTF-16 code units; 200 characters may.") {
      call, answer in
      guard let title = call.json?["title"]?.text, title.utf16.count > 200 else { return answer(call) }
      return Problem.unprocessable("The field is too long.", field: "title").answer
    },
    around("author-encoded", "getAuthor", "404 where the path has an escape.") { call, answer in
      call.target.contains("%") ? Problem.notFound("author").answer : answer(call)
    },
    around("genre-poetry", "listBooks", "400 for the genre `poetry`.") { call, answer in
      let plain = answer(call)
      guard call.parameter("genre") == "poetry", plain.isSuccess else { return plain }
      return Problem.badRequest("The parameter must be a genre.", field: "genre").answer
    },
  ]
}
