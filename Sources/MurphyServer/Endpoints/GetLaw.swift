import Hummingbird

/// `GET /laws/{id}`: one published law.
struct GetLaw: Endpoint {
  static let operation = Operation.getLaw
  let store: Store
  let faults: FaultPlan
  /// Behind the database by up to three seconds; asked only by a server with that fault.
  let replica = LaggingReplica()

  func read(_ request: Request, id: String?) throws -> Law {
    let id = try LawID.read(id)
    guard let law = try store.law(id) else { throw APIError.notFound("There is no law \(id).") }
    return law
  }

  func answer(_ law: Law, to caller: Caller) -> Answer {
    var law = law
    if faults.has(.staleReads) || faults.strikes(.countsGoBack, oneIn: 2) {
      let counts = replica.counts(of: law)
      (law.upvotes, law.downvotes) = (counts.upvotes, counts.downvotes)
    }
    return .json(.ok) { $0.law(law, flaws) }
  }

  private var flaws: LawFlaws {
    var flaws: LawFlaws = []
    if faults.has(.missingField) { flaws.insert(.missingField) }
    if faults.has(.badDate) { flaws.insert(.badDate) }
    if faults.has(.longText) { flaws.insert(.longText) }
    if faults.has(.invalidUTF8) { flaws.insert(.invalidUTF8) }
    return flaws
  }
}
