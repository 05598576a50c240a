import Foundation

/// The endpoints of Murphy's Laws.
struct LawEndpoints: Sendable {
  let store: LawStore
  let hooks: LawHooks

  /// `GET /laws`: a page of the published laws.
  func listLaws(_ incoming: Incoming) throws -> Work {
    let query = try LawQuery(incoming.query)
    return Work {
      let page = try await hooks.list(query, of: .listLaws) { try store.laws($0) }
      return .json(.ok, capacity: 512 + page.laws.count * 384) { json in
        json.member("data", each: page.laws) { $0.law($1) }
        json.member("total", page.total)
        json.member("limit", query.limit)
        json.member("offset", query.offset)
      }
    }
  }

  /// `GET /laws/{id}`: one published law.
  func getLaw(_ incoming: Incoming) throws -> Work {
    let id = try incoming.integerID()
    guard let law = try store.law(id) else { throw noLaw(id) }
    return Work {
      let law = try await hooks.law(law, of: .getLaw) { $0 }
      return .json(.ok) { $0.law(law) }
    }
  }

  /// `GET /law-of-day`: the law featured today.
  func getLawOfTheDay(_ incoming: Incoming) -> Work {
    Work {
      let today = Timestamp.today()
      let law = try await hooks.lawOfTheDay(today, of: .getLawOfTheDay) { try store.lawOfTheDay($0) }
      guard let law else { return .internalError("There is no law of the day.") }
      return .json(.ok) { json in
        json.member("law") { $0.law(law) }
        json.member("featured_date", today)
      }
    }
  }

  /// `GET /attributions`: all authors, with their numbers of laws.
  func listAttributions(_ incoming: Incoming) -> Work {
    Work {
      .json(.ok, capacity: 8192) { json in
        json.member("data", each: store.attributions) { json, credited in
          json.members(of: credited.attribution)
          json.member("law_count", credited.lawCount)
        }
      }
    }
  }

  /// `GET /categories`: all categories with their numbers of laws.
  func listCategories(_ incoming: Incoming) -> Work {
    Work {
      .json(.ok, capacity: 8192) { json in
        json.member("data", each: store.categories) { json, category in
          json.member("id", category.id)
          json.member("title", category.title)
          json.member("slug", category.slug)
          json.member("description", category.description)
          json.member("law_count", category.lawCount)
        }
      }
    }
  }

  /// `POST /laws/{id}/vote`: gives or changes a vote.
  func voteLaw(_ incoming: Incoming) async throws -> Work {
    let id = try incoming.integerID()
    let direction = VoteDirection(rawValue: try await incoming.fields(["vote_type"]).text("vote_type", 1...1000))
    guard let direction else { throw APIError.invalid("vote_type", "vote_type must be up or down.") }
    return try count(Vote(direction: direction, law: id, voter: incoming.caller.name), of: .voteLaw)
  }

  /// `DELETE /laws/{id}/vote`: removes the vote.
  func removeVote(_ incoming: Incoming) throws -> Work {
    try count(
      Vote(direction: nil, law: try incoming.integerID(), voter: incoming.caller.name), of: .removeVote)
  }

  /// Stores a vote on an existing law, and returns the counts.
  private func count(_ vote: Vote, of operation: Operation) throws -> Work {
    guard try store.hasLaw(vote.law) else { throw noLaw(vote.law) }
    return Work {
      let counts = try await hooks.vote(vote, of: operation) { try store.vote($0) }
      guard let counts else { throw noLaw(vote.law) }
      return .voteCounts(counts)
    }
  }

  private func noLaw(_ id: Int) -> APIError { .notFound("There is no law \(id).") }

  /// `POST /laws`: accepts a law for review.
  func submitLaw(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(["text", "title", "author", "email", "category_id"])
    let submission = Submission(
      text: try fields.text("text", 10...1000), title: try fields.optionalText("title", 1...200),
      author: try fields.optionalText("author", 1...100), email: try fields.optionalEmail("email"),
      categoryID: try fields.integer("category_id", 1...Int(Int32.max)))
    guard store.categories.contains(where: { $0.id == submission.categoryID }) else {
      throw APIError.invalid("category_id", "There is no category \(submission.categoryID).")
    }
    return Work {
      let id = try await hooks.submit(submission, of: .submitLaw) { try store.submit($0) }
      return .json(.created) { json in
        json.member("id", id)
        json.member("status", "under_review")
        json.member("message", "Your law is under review")
      }
    }
  }
}

extension ServerResponse {
  static func voteCounts(_ counts: VoteCounts) -> ServerResponse {
    .json(.ok, capacity: 64) { json in
      json.member("upvotes", counts.upvotes)
      json.member("downvotes", counts.downvotes)
    }
  }
}

extension JSONWriter {
  /// A law in the form of `#/components/schemas/Law`.
  fileprivate mutating func law(_ law: Law) {
    member("id", law.id)
    member("text", law.text)
    member("title", law.title)
    member("category_id", law.categoryID)
    member("upvotes", law.upvotes)
    member("downvotes", law.downvotes)
    member("created_at", law.createdAt)
    member("attributions", each: law.attributions) { $0.members(of: $1) }
  }

  /// Name and contact.
  fileprivate mutating func members(of attribution: Attribution) {
    member("name", attribution.name)
    member("contact_type", attribution.contact?.type)
    member("contact_value", attribution.contact?.value)
  }
}

extension LawEndpoints {
  /// `POST /share-calculation`: calculates Sod's Law and puts an email with the result into the outbox.
  func shareCalculation(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(
      ["email", "task", "urgency", "complexity", "importance", "skill", "frequency"])
    let email = try fields.email("email")
    let task = try fields.optionalText("task", 1...500) ?? "My task"
    let risk = SodsLaw(
      urgency: try fields.integer("urgency", 1...10), complexity: try fields.integer("complexity", 1...10),
      importance: try fields.integer("importance", 1...10), skill: try fields.integer("skill", 1...10),
      frequency: try fields.integer("frequency", 1...10))
    return Work {
      let sentence = "\(task) has a \(risk.probability)% chance of going wrong! #MurphysLaw"
      try store.post(to: email, subject: "Sod's Law says: \(risk.grade.rawValue) risk", body: sentence)
      return .json(.ok) { json in
        json.name("probability")
        json.number(risk.probability)
        json.member("risk", risk.grade.rawValue)
        json.member("message", sentence)
      }
    }
  }
}

/// The probability that a task goes wrong: `((U+C+I) × (10−S))/20 × A × 1/(1−sin(F/10))` with A = 0.7, on a scale that
/// ends at 8.6 (British Gas, 2004), as a percentage.
struct SodsLaw: Sendable, Equatable {
  enum Grade: String, Sendable {
    case low, medium, high
  }

  var urgency: Int
  var complexity: Int
  var importance: Int
  var skill: Int
  var frequency: Int

  /// 0 to 100, with one decimal.
  var probability: Double {
    let pressure = Double((urgency + complexity + importance) * (10 - skill)) / 20
    let score = pressure * 0.7 / (1 - sin(Double(frequency) / 10))
    return (min(score / 8.6, 1) * 1000).rounded() / 10
  }

  var grade: Grade { probability < 33 ? .low : probability < 67 ? .medium : .high }
}
