import Hummingbird

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
