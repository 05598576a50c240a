import Hummingbird

/// `GET /laws/{id}`: one published law.
struct GetLaw: Endpoint {
  static let operation = Operation.getLaw
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> Law {
    let id = try PathID.integer(id)
    guard let law = try store.law(id) else { throw APIError.notFound("There is no law \(id).") }
    return law
  }

  func answer(_ law: Law, to caller: Caller) async throws -> Answer {
    let law = try await hooks.law(law, of: Self.operation) { $0 }
    return .json(.ok) { $0.law(law) }
  }
}
