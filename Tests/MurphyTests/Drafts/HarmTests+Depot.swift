import Foundation
import Murphy
import Synchronization
import TestSupport
import WildServer

extension HarmTests {
  /// The operations by which an API lets its clients do harm, and collections with items.
  static let contract = """
    openapi: 3.0.3
    info: { title: Depot, version: "1" }
    paths:
      /items:
        get: { operationId: listItems, responses: { "200": &all { description: all, content: { application/json: {
          schema: { type: array, items: { $ref: "#/components/schemas/Item" } } } } } } }
        post: { operationId: addItem, requestBody: &draft { required: true, content: { application/json: {
            schema: { $ref: "#/components/schemas/Draft" } } } },
          responses: { "200": &item { description: it, content: { application/json: {
            schema: { $ref: "#/components/schemas/Item" } } } }, "201": *item, "400": { description: bad } } }
        delete: { operationId: deleteItems, responses: &done { "204": { description: done } } }
        patch: { operationId: patchItems, requestBody: *draft, responses: *done }
        put: { operationId: putItems, requestBody: *draft, responses: *done }
      /items/{id}:
        parameters: &id [{ name: id, in: path, required: true, schema: { type: integer, example: 1 } }]
        get: { operationId: getItem, responses: { "200": *item, "404": &none { description: none } } }
        put: { operationId: replaceItem, requestBody: *draft, responses: { "200": *item, "404": *none } }
        patch: { operationId: changeItem, requestBody: *draft, responses: { "200": *item, "404": *none } }
        delete: { operationId: deleteItem, responses: { "204": { description: done }, "404": *none } }
      /items/{id}/archive:
        parameters: *id
        post: { operationId: archiveItem, responses: *done }
      /accounts/{account}:
        parameters: [{ name: account, in: path, required: true, schema: { type: string, example: admin } }]
        get: { operationId: getAccount, responses: { "200": { description: it }, "404": *none } }
        put: { operationId: putAccount, requestBody: *draft, responses: { "200": *item, "201": *item } }
        delete: { operationId: deleteAccount, responses: *done }
      /search:
        post: { operationId: searchItems, requestBody: *draft, responses: { "200": *item } }
      /shutdown: { get: { operationId: stopServer, responses: *done }, post: { operationId: postShutdown, responses: *done } }
      /admin/factory-reset: { post: { operationId: again, responses: *done } }
      /admin/cache: { post: { operationId: purgeCache, responses: *done } }
      /tables: { post: { operationId: tables, summary: Drops and truncates all tables, responses: *done } }
      /token: { post: { operationId: newToken, summary: Rotate the token of the caller, responses: *done } }
      /session/logOut: { post: { operationId: leave, responses: *done } }
      /backup: { post: { operationId: restore_backup, requestBody: *draft, responses: *done } }
      /feed: { post: { operationId: import-items, requestBody: *draft, responses: *done } }
      /jobs/all: { post: { operationId: launch, responses: *done } }
      /disk: { post: { operationId: wipeDisk, responses: *done } }
      /keys: { post: { operationId: keys, summary: Revokes the key of the caller, responses: *done } }
      /features/disable: { post: { operationId: turnOff, responses: *done } }
      /service: { post: { operationId: restart_service, responses: *done } }
      /sites:
        get: { operationId: listSites, responses: { "200": { description: all, content: { application/json: {
          schema: { type: array, items: { type: object, properties: { id: { type: string } } } } } } } } }
      /sites/{site}/pages:
        parameters: [&site { name: site, in: path, required: true, schema: { type: string } }]
        post: { operationId: addPage, requestBody: *draft, responses: { "201": *item, "404": *none } }
      /sites/{site}/pages/{id}:
        parameters: [*site, { name: id, in: path, required: true, schema: { type: integer } }]
        get: { operationId: getPage, responses: { "200": *item, "404": *none } }
        delete: { operationId: deletePage, responses: { "204": { description: done }, "404": *none } }
      /labels:
        post: { operationId: addLabel, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [text, item], properties: { text: { type: string }, item: { type: integer, example: 1 } } } } } },
          responses: { "201": *item, "404": *none } }
      /labels/{label}:
        parameters: [{ name: label, in: path, required: true, schema: { type: integer } }]
        delete: { operationId: deleteLabel, responses: { "204": { description: done }, "404": *none } }
      /stock/filter: { post: { operationId: filterStock, requestBody: *draft, responses: { "200": *all } } }
      /stock/query: { post: { operationId: updateByQuery, requestBody: *draft, responses: { "200": *all } } }
      /stock/search: { post: { operationId: searchStock, summary: Saves a search, requestBody: *draft,
        responses: { "200": *all } } }
      /stock/find: { post: { operationId: findStock, requestBody: *draft, responses: { "200": *all, "201": *item } } }
      /stock/lookup: { post: { operationId: lookupStock, requestBody: *draft, responses: { "200": *item } } }
      /items-remove: { post: { operationId: itemsRemove, requestBody: *draft, responses: *done } }
    components:
      schemas:
        Draft: { type: object, required: [name], properties: { name: { type: string, maxLength: 60, example: second } } }
        Item: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    """

  /// A server that does whatever a request says, with items that were there before. A POST of a name that is there responds
  /// with that item.
  final class Depot: Sendable {
    struct State {
      var items: [Int: String] = [1: "first", 2: "second", 3: "third"]
      var accounts: [String: String] = ["admin": "all rights"]
      /// Pages of the one site, which nobody can create.
      var pages: [Int: String] = [:]
      /// Labels, each of an item.
      var labels: [Int: Int] = [:]
      var harm: [String] = []
      var next = 4
    }

    let state = Mutex(State())

    /// What is left of what was there, and which operations that destroy something were called.
    var damage: [String] {
      state.withLock { state in
        let expected = [1: "first", 2: "second", 3: "third"]
        let items = expected.filter { state.items[$0.key] != $0.value }.map { "item \($0.key)" }
        return items.sorted() + (state.accounts["admin"] == "all rights" ? [] : ["admin"]) + state.harm
      }
    }
    /// Items that were added.
    var added: Int { state.withLock { $0.items.count - 3 } }

    func respond(_ request: WildRequest, _ connection: WildConnection) {
      let (status, body) = state.withLock { Self.response(request, &$0) }
      connection.answer(status, body: request.method == "HEAD" ? "" : body)
    }

    private static func response(_ request: WildRequest, _ state: inout State) -> (Int, String) {
      let path = request.target.prefix { $0 != "?" }.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
      let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
      let name = sent["name"] as? String
      func item(_ id: Int) -> String { #"{"id":\#(id),"name":\#(JSONValue.string(state.items[id] ?? "").text)}"# }
      switch (request.method, path.first ?? "", path.count) {
      case ("GET", "items", 1): return (200, "[" + state.items.keys.sorted().map(item).joined(separator: ",") + "]")
      case ("POST", "items", 1):
        guard let name, name.unicodeScalars.count <= 60 else { return (400, "{}") }
        if let known = state.items.first(where: { $0.value == name }) { return (200, item(known.key)) }
        state.items[state.next] = name
        state.next += 1
        return (201, item(state.next - 1))
      case ("POST", "labels", 1):
        guard let item = sent["item"] as? Int, state.items[item] != nil, let text = sent["text"] as? String else {
          return (404, "{}")
        }
        // What is attached to an item changes it.
        if item < 4 { state.harm.append("label of item \(item): \(String(decoding: request.body, as: UTF8.self))") }
        state.labels[state.next] = item
        state.next += 1
        return (201, #"{"id":\#(state.next - 1),"name":\#(JSONValue.string(text).text)}"#)
      case ("DELETE", "labels", 2):
        return Int(path[1]).flatMap { state.labels.removeValue(forKey: $0) } == nil ? (404, "{}") : (204, "")
      case (_, "labels", _): return (405, "{}")
      case ("POST", "search", 1): return (200, item(1))
      case ("POST", "stock", 2) where path[1] != "query": return path[1] == "lookup" ? (200, item(1)) : (200, "[]")
      case (_, "stock", _) where request.method != "POST": return (405, "{}")
      case ("GET", "sites", 1): return (200, #"[{"id":"main"}]"#)
      case ("POST", "sites", 3):
        guard path[1] == "main", let name else { return (404, "{}") }
        state.pages[state.next] = name
        state.next += 1
        return (201, #"{"id":\#(state.next - 1),"name":\#(JSONValue.string(name).text)}"#)
      case ("GET", "sites", 4), ("DELETE", "sites", 4):
        guard path[1] == "main", let id = Int(path[3]), let name = state.pages[id] else { return (404, "{}") }
        if request.method == "DELETE" { state.pages[id] = nil }
        return request.method == "DELETE"
          ? (204, "") : (200, #"{"id":\#(id),"name":\#(JSONValue.string(name).text)}"#)
      case (_, "sites", _): return (405, "{}")
      case (_, "items", 2), (_, "items", 3):
        guard let id = Int(path[1]), state.items[id] != nil else { return (404, "{}") }
        switch request.method {
        case "OPTIONS": return (405, "{}")
        case "GET", "HEAD": return (200, item(id))
        case "DELETE":
          state.items[id] = nil
          return (204, "")
        default:
          state.items[id] = (name ?? "") + " changed"
          return (path.count == 3 ? 204 : 200, path.count == 3 ? "" : item(id))
        }
      case (_, "accounts", 2) where path[1] != "admin" && !["GET", "PUT", "DELETE"].contains(request.method):
        return (405, "{}")
      case ("GET", "accounts", 2): return state.accounts[path[1]] == nil ? (404, "{}") : (200, "{}")
      case ("PUT", "accounts", 2):
        state.accounts[path[1]] = name ?? ""
        return (201, #"{"id":1,"name":"x"}"#)
      case ("DELETE", "accounts", 2):
        state.accounts[path[1]] = nil
        return (204, "")
      case ("HEAD", _, _), ("OPTIONS", _, _): return (405, "{}")
      case ("GET", _, _) where path.first != "shutdown": return (405, "{}")
      default:
        state.harm.append("\(request.method) \(request.target)")
        return (204, "")
      }
    }
  }
}
