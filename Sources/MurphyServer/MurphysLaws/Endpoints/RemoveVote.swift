import Hummingbird

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
