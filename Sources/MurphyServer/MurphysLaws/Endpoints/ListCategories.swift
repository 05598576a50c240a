import Hummingbird

/// `GET /categories`: all categories with their numbers of laws.
struct ListCategories: Endpoint {
  static let operation = Operation.listCategories
  let store: Store

  func read(_ request: Request, id: String?, from caller: Caller) {}

  func answer(_ input: Void, to caller: Caller) -> Answer {
    .json(.ok, capacity: 8192) { json in
      json.object { json in
        json.name("data")
        json.array { json in
          for category in store.categories {
            json.object { json in
              json.name("id")
              json.integer(category.id)
              json.name("title")
              json.string(category.title)
              json.name("slug")
              json.string(category.slug)
              json.name("description")
              json.string(category.description)
              json.name("law_count")
              json.integer(category.lawCount)
            }
          }
        }
      }
    }
  }
}
