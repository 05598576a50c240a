import Hummingbird

/// `GET /attributions`: all who are credited, with their numbers of laws.
struct ListAttributions: Endpoint {
  static let operation = Operation.listAttributions
  let store: Store

  func read(_ request: Request, id: String?, from caller: Caller) {}

  func answer(_ input: Void, to caller: Caller) -> Answer {
    .json(.ok, capacity: 8192) { json in
      json.object { json in
        json.name("data")
        json.array { json in
          for credited in store.attributions {
            json.object { json in
              json.members(of: credited.attribution)
              json.name("law_count")
              json.integer(credited.lawCount)
            }
          }
        }
      }
    }
  }
}
