import Hummingbird

/// `GET /law-of-day`: the law featured today.
struct GetLawOfTheDay: Endpoint {
  static let operation = Operation.getLawOfTheDay
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) {}

  func answer(_ input: Void, to caller: Caller) async throws -> Answer {
    let today = Timestamp.today()
    let featured = try await hooks.lawOfTheDay(today, of: Self.operation) { try store.lawOfTheDay($0) }
    guard let law = featured else { return .internalError("There is no law of the day.") }
    return .json(.ok) { json in
      json.object { json in
        json.name("law")
        json.law(law)
        json.member("featured_date", today)
      }
    }
  }
}
