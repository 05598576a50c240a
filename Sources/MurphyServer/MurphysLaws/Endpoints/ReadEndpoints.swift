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

/// `GET /laws`: a page of the published laws.
struct ListLaws: Endpoint {
  static let operation = Operation.listLaws
  let store: Store
  let hooks: LawHooks

  func read(_ request: Request, id: String?, from caller: Caller) throws -> LawQuery {
    try LawQuery(QueryString(request.uri.query))
  }

  func answer(_ query: LawQuery, to caller: Caller) async throws -> Answer {
    let page = try await hooks.list(query, of: Self.operation) { try store.laws($0) }
    return .json(.ok, capacity: 512 + page.laws.count * 384) { json in
      json.object { json in
        json.member("data", each: page.laws) { $0.law($1) }
        json.member("total", page.total)
        json.member("limit", query.limit)
        json.member("offset", query.offset)
      }
    }
  }
}

/// `GET /attributions`: all who are credited, with their numbers of laws.
struct ListAttributions: Endpoint {
  static let operation = Operation.listAttributions
  let store: Store

  func read(_ request: Request, id: String?, from caller: Caller) {}

  func answer(_ input: Void, to caller: Caller) -> Answer {
    .json(.ok, capacity: 8192) { json in
      json.object { json in
        json.member("data", each: store.attributions) { json, credited in
          json.object { json in
            json.members(of: credited.attribution)
            json.member("law_count", credited.lawCount)
          }
        }
      }
    }
  }
}

/// `GET /categories`: all categories with their numbers of laws.
struct ListCategories: Endpoint {
  static let operation = Operation.listCategories
  let store: Store

  func read(_ request: Request, id: String?, from caller: Caller) {}

  func answer(_ input: Void, to caller: Caller) -> Answer {
    .json(.ok, capacity: 8192) { json in
      json.object { json in
        json.member("data", each: store.categories) { json, category in
          json.object { json in
            json.member("id", category.id)
            json.member("title", category.title)
            json.member("slug", category.slug)
            json.member("description", category.description)
            json.member("law_count", category.lawCount)
          }
        }
      }
    }
  }
}
