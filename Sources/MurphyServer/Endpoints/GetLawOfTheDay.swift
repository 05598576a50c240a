import Hummingbird

/// `GET /law-of-day`: the law featured today.
struct GetLawOfTheDay: Endpoint {
  static let operation = Operation.getLawOfTheDay
  let store: Store
  let faults: FaultPlan

  func read(_ request: Request, id: String?) {}

  func answer(_ input: Void, to caller: Caller) throws -> Answer {
    let today = Timestamp.today()
    let day = faults.has(.changingLawOfDay) ? "\(today) \(MonotonicClock.now())" : today
    guard let law = try store.lawOfTheDay(day) else { return .internalError("There is no law of the day.") }
    return .json(.ok) { json in
      json.object { json in
        json.name("law")
        json.law(law)
        json.name("featured_date")
        json.string(faults.has(.nullField) ? nil : today)
      }
    }
  }
}
