import Hummingbird

/// `GET /laws`: a page of the published laws.
struct ListLaws: Endpoint {
  static let operation = Operation.listLaws
  let store: Store
  let faults: FaultPlan

  func read(_ request: Request, id: String?) throws -> LawQuery {
    try LawQuery(QueryString(request.uri.query))
  }

  func answer(_ query: LawQuery, to caller: Caller) throws -> Answer {
    let asked = query.flawed(by: faults)
    var (page, total) = try store.laws(asked)
    if faults.has(.unsortedList) { page = Array(page.dropFirst(page.count / 2) + page.prefix(page.count / 2)) }
    if faults.has(.shiftingTotal) { total += faults.strikes(.shiftingTotal, oneIn: 2) ? 3 : 0 }
    if faults.has(.negativeTotal) { total = -1 }
    let flaws: LawFlaws = faults.has(.numberAsString) ? .numberAsString : []
    return .json(.ok, capacity: 512 + page.count * 384) { json in
      json.object { json in
        json.name("data")
        if faults.has(.objectForArray) {
          json.object { json in
            for law in page.prefix(1) {
              json.name("first")
              json.law(law, flaws)
            }
          }
        } else {
          json.array { json in
            for law in page { json.law(law, flaws) }
          }
        }
        json.name("total")
        json.integer(total)
        json.name("limit")
        json.integer(query.limit)
        json.name("offset")
        json.integer(query.offset)
      }
    }
  }
}

extension LawQuery {
  /// The query as a server with these faults understands it.
  fileprivate func flawed(by faults: FaultPlan) -> LawQuery {
    var query = self
    if faults.has(.filterIgnored) { (query.categoryID, query.attribution) = (nil, nil) }
    if faults.has(.duplicatesAcrossPages), offset > 0 { query.offset -= 1 }
    if faults.has(.pageTooLong) { query.limit += 3 }
    return query
  }
}
