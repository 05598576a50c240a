import Hummingbird

/// `DELETE /laws/{id}/vote`: takes the vote back.
struct RemoveVote: Endpoint {
  static let operation = Operation.removeVote
  let store: Store
  let hooks: Hooks

  func read(_ request: Request, id: String?) throws -> Int {
    let id = try LawID.read(id)
    guard try store.hasLaw(id) else { throw APIError.notFound("There is no law \(id).") }
    return id
  }

  func answer(_ law: Int, to caller: Caller) async throws -> Answer {
    try await count(Vote(direction: nil, law: law, voter: caller.voter), store, hooks)
  }
}
