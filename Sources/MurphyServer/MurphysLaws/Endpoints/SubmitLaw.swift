import Hummingbird

/// `POST /laws`: takes a law in for review.
struct SubmitLaw: Endpoint {
  static let operation = Operation.submitLaw
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> Submission {
    let fields = try await RequestFields(request, known: ["text", "title", "author", "email", "category_id"])
    let submission = Submission(
      text: try fields.text("text", 10...1000), title: try fields.optionalText("title", 1...200),
      author: try fields.optionalText("author", 1...100), email: try fields.optionalEmail("email"),
      categoryID: try fields.integer("category_id", 1...Int(Int32.max)))
    guard store.categories.contains(where: { $0.id == submission.categoryID }) else {
      throw APIError.invalid("category_id", "There is no category \(submission.categoryID).")
    }
    return submission
  }

  func answer(_ submission: Submission, to caller: Caller) async throws -> Answer {
    let id = try await hooks.submit(submission, of: Self.operation) { try store.submit($0) }
    return .json(.created) { json in
      json.object { json in
        json.member("id", id)
        json.member("status", "under_review")
        json.member("message", "Your law is under review")
      }
    }
  }
}
