import Foundation
import Synchronization

/// A correct API that rejects what a careless draft sends: stale versions, names that are taken, and names with blanks. Its
/// paths have the slug of an article, or its number; its lists have id and slug, and its errors have an `id` of their own.
public final class ParticularServer: Sendable {
  private struct Article {
    var name: String
    var version: Int

    func text(_ id: Int) -> String { #"{"id":\#(id),"slug":"s-\#(name)","name":"\#(name)","version":\#(version)}"# }
  }

  /// As its users know it.
  public static let contract = """
    openapi: 3.1.0
    info: { title: Articles, version: "1" }
    components:
      schemas:
        Article:
          type: object
          required: [id, slug, name, version]
          properties:
            { id: { type: integer }, slug: { type: string }, name: { type: string }, version: { type: integer } }
        Error: { type: object, required: [id], properties: { id: { type: string } } }
      responses:
        Article: { description: It, content: { application/json: { schema: { $ref: "#/components/schemas/Article" } } } }
        Error: { description: No, content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
    paths:
      /articles:
        get:
          operationId: listArticles
          responses:
            "200":
              description: All
              content:
                application/json:
                  schema:
                    type: object
                    required: [items]
                    properties: { items: { type: array, items: { $ref: "#/components/schemas/Article" } } }
        post:
          operationId: addArticle
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  { type: object, required: [name], properties: { name: { type: string, examples: [first] } } }
          responses:
            "201": { $ref: "#/components/responses/Article" }
            "409": { $ref: "#/components/responses/Error" }
            "422": { $ref: "#/components/responses/Error" }
      /articles/{article}:
        parameters: [{ name: article, in: path, required: true, schema: { type: string } }]
        get:
          operationId: getArticle
          responses:
            "200": { $ref: "#/components/responses/Article" }
            "404": { $ref: "#/components/responses/Error" }
        put:
          operationId: changeArticle
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [version, text]
                  properties: { version: { type: integer }, text: { type: string } }
          responses:
            "200": { $ref: "#/components/responses/Article" }
            "404": { $ref: "#/components/responses/Error" }
            "409": { $ref: "#/components/responses/Error" }
      /articles/{id}/size:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        get:
          operationId: getSize
          responses:
            "200": { description: It, content: { application/json: { schema: { type: integer } } } }
            "404": { $ref: "#/components/responses/Error" }
    """

  private let articles = Mutex<[Article]>([Article(name: "old", version: 7), Article(name: "older", version: 12)])

  public init() {}

  public func respond(_ request: WildRequest, _ connection: WildConnection) {
    let (status, body) = articles.withLock { articles in Self.response(request, &articles) }
    connection.answer(status, body: body)
  }

  private static func response(_ request: WildRequest, _ articles: inout [Article]) -> (Int, String) {
    let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    let path = request.target.split(separator: "/").map(String.init)
    func error(_ status: Int) -> (Int, String) { (status, #"{"id":"error-\#(status)"}"#) }
    switch (request.method, path.count) {
    case ("GET", 1):
      let items = articles.enumerated().suffix(20).map { $1.text($0) }.joined(separator: ",")
      return (200, #"{"items":[\#(items)]}"#)
    case ("POST", 1):
      guard let name = sent["name"] as? String, !name.isEmpty, !name.contains(" ") else { return error(422) }
      if articles.contains(where: { $0.name == name }) { return error(409) }
      articles.append(Article(name: name, version: 1))
      return (201, articles[articles.count - 1].text(articles.count - 1))
    case ("GET", 2), ("PUT", 2):
      guard let place = articles.firstIndex(where: { "s-" + $0.name == path[1] }) else { return error(404) }
      if request.method == "PUT" {
        guard sent["version"] as? Int == articles[place].version else { return error(409) }
        articles[place].version += 1
      }
      return (200, articles[place].text(place))
    case ("GET", 3):
      guard let id = Int(path[1]), articles.indices.contains(id) else { return error(404) }
      return (200, String(articles[id].name.count))
    default: return error(404)
    }
  }
}
