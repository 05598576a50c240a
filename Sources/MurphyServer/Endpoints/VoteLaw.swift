import Hummingbird

/// `POST /laws/{id}/vote`: gives a vote or moves it.
struct VoteLaw: Endpoint {
  static let operation = Operation.voteLaw
  let store: Store
  let ballots: Ballots
  let faults: FaultPlan

  struct Input: Sendable {
    var law: Int
    var direction: VoteDirection
  }

  func read(_ request: Request, id: String?) async throws -> Input {
    let id = try LawID.read(id)
    let fields = try await RequestFields(request, known: ["vote_type"])
    let direction = try VoteDirection(rawValue: fields.text("vote_type", 1...1000))
    guard let direction else { throw APIError.invalid("vote_type", "vote_type must be up or down.") }
    guard try store.hasLaw(id) else { throw APIError.notFound("There is no law \(id).") }
    return Input(law: id, direction: direction)
  }

  func answer(_ input: Input, to caller: Caller) async throws -> Answer {
    let counts = try await ballots.cast(input.direction, on: input.law, by: caller.voter)
    return .voteCounts(counts, isFractional: faults.has(.fractionalCount))
  }
}

extension Answer {
  /// The counts of a law; `isFractional` adds half a vote, as a fault does.
  static func voteCounts(_ counts: VoteCounts, isFractional: Bool = false) -> Answer {
    .json(.ok, capacity: 64) { json in
      json.object { json in
        json.name("upvotes")
        if isFractional { json.number(Double(counts.upvotes) + 0.5) } else { json.integer(counts.upvotes) }
        json.name("downvotes")
        json.integer(counts.downvotes)
      }
    }
  }
}
