import Hummingbird

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
