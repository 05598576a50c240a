import Hummingbird

/// `POST /laws/{id}/vote`: gives a vote or moves it.
struct VoteLaw: Endpoint {
  static let operation = Operation.voteLaw
  let store: Store
  let hooks: LawHooks

  struct Input: Sendable {
    var law: Int
    var direction: VoteDirection
  }

  func read(_ request: Request, id: String?, from caller: Caller) async throws -> Input {
    let id = try PathID.integer(id)
    let fields = try await RequestFields(request, known: ["vote_type"])
    let direction = try VoteDirection(rawValue: fields.text("vote_type", 1...1000))
    guard let direction else { throw APIError.invalid("vote_type", "vote_type must be up or down.") }
    guard try store.hasLaw(id) else { throw APIError.notFound("There is no law \(id).") }
    return Input(law: id, direction: direction)
  }

  func answer(_ input: Input, to caller: Caller) async throws -> Answer {
    try await count(Vote(direction: input.direction, law: input.law, voter: caller.name), store, hooks)
  }
}

extension Endpoint {
  /// Stores a vote on a law that exists, and answers with the counts.
  func count(_ vote: Vote, _ store: Store, _ hooks: LawHooks) async throws -> Answer {
    let counts = try await hooks.vote(vote, of: Self.operation) { try store.vote($0) }
    guard let counts else { throw APIError.notFound("There is no law \(vote.law).") }
    return .voteCounts(counts)
  }
}

extension Answer {
  /// The counts of a law.
  static func voteCounts(_ counts: VoteCounts) -> Answer {
    .json(.ok, capacity: 64) { json in
      json.object { json in
        json.member("upvotes", counts.upvotes)
        json.member("downvotes", counts.downvotes)
      }
    }
  }
}

/// `DELETE /laws/{id}/vote`: takes the vote back.
struct RemoveVote: Endpoint {
  static let operation = Operation.removeVote
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> Int {
    let id = try PathID.integer(id)
    guard try store.hasLaw(id) else { throw APIError.notFound("There is no law \(id).") }
    return id
  }

  func answer(_ law: Int, to caller: Caller) async throws -> Answer {
    try await count(Vote(direction: nil, law: law, voter: caller.name), store, hooks)
  }
}

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
