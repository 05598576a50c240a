import Foundation

enum ReviewOperations {
  static let all: [Operation] = [
    .get("listReviews", "/books/{bookId}/reviews", isOpen: true, list),
    .post("createReview", "/books/{bookId}/reviews", create),
    .get("getReview", "/books/{bookId}/reviews/{reviewId}", isOpen: true, review),
    .delete("deleteReview", "/books/{bookId}/reviews/{reviewId}", delete),
  ]

  private static func list(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    let (limit, offset) = try call.page()
    let all = try call.shop.state.withLock { state in
      _ = try state.book(number)
      return state.reviews[number] ?? []
    }
    return Answer(
      .ok,
      .make([
        "items": .array(all.dropFirst(offset).prefix(limit).map(\.json)), "total": .int(all.count),
        "limit": .int(limit), "offset": .int(offset),
      ]))
  }

  private static func create(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    let fields = try call.fields("ReviewInput", names: ["rating", "text", "spoiler"])
    let review = Review(
      id: UUID().lower, book: number, user: call.user,
      rating: try fields.integer("rating", 1...5, .required).value ?? 3,
      text: try fields.text("text", length: 0...2000).value ?? "", spoiler: try fields.flag("spoiler").value ?? false,
      createdAt: .now)
    return try call.shop.state.withLock { state in
      _ = try state.book(number)
      state.reviews[number, default: []].append(review)
      return .created(review.json, at: "/books/\(number)/reviews/\(review.id)")
    }
  }

  private static func review(_ call: Call) throws -> Answer {
    let (number, id) = (try call.number("bookId"), try call.uuid("reviewId"))
    guard let review = call.shop.state.withLock({ $0.reviews[number]?.first { $0.id == id } }) else {
      throw Problem.notFound("review")
    }
    return Answer(.ok, review.json)
  }

  private static func delete(_ call: Call) throws -> Answer {
    let (number, id) = (try call.number("bookId"), try call.uuid("reviewId"))
    return try call.shop.state.withLock { state in
      guard let review = state.reviews[number]?.first(where: { $0.id == id }) else { throw Problem.notFound("review") }
      guard review.user == call.user else { throw Problem.forbidden("review") }
      state.reviews[number]?.removeAll { $0.id == id }
      return .empty
    }
  }
}
