import Hummingbird

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
