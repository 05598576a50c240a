import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import Testing

/// The responses that supply the path parameters of a draft, in documents of different styles.
@Suite struct ProducerDraftTests {
  /// A document with the paths, and the schema of an item with `id` and `name`.
  private static func document(_ paths: String) -> String {
    let lines = paths.split(separator: "\n").map { "  " + $0 }
    return """
      openapi: 3.1.0
      info: { title: Flows, version: "1" }
      components:
        schemas: { Item: { type: object, properties: { id: { type: string }, name: { type: string } } } }
        parameters:
          name: { name: name, in: path, required: true, schema: { type: string } }
          id: { name: id, in: path, required: true, schema: { type: string } }
          task_id: { name: task_id, in: path, required: true, schema: { type: string } }
          tenant: { name: tenant, in: path, required: true, schema: { type: string } }
          database: { name: database, in: path, required: true, schema: { type: string } }
        responses:
          Item: { description: It, content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } } }
          Items: { description: All, content: { application/json: { schema: {
            type: array, items: { $ref: "#/components/schemas/Item" } } } } }
          Map: { description: All, content: { application/json: { schema: {
            type: object, additionalProperties: { $ref: "#/components/schemas/Item" } } } } }
          Identity: { description: You, content: { application/json: { schema: { type: object, properties: {
            id: { type: string }, tenant: { type: string },
            databases: { type: array, items: { type: string } } } } } } }
      paths:
      \(lines.joined(separator: "\n"))
      """
  }

  private static func draft(
    _ paths: String, _ change: (inout ScenarioDraft.Options) -> Void = { _ in }
  ) throws -> ScenarioDraft {
    var options = ScenarioDraft.Options(contract: "api.yaml")
    change(&options)
    return ScenarioDraft(try Contract.parse(document(paths), file: "api.yaml"), options)
  }

  private static let flows = """
    /flows/filter: { post: { operationId: filterFlows,
      responses: { "200": { $ref: "#/components/responses/Items" } } } }
    /flows/{id}: { get: { operationId: getFlow, parameters: [{ $ref: "#/components/parameters/id" }],
      responses: { "200": { $ref: "#/components/responses/Item" } } } }
    /flows/name/{name}: { get: { operationId: getFlowByName, parameters: [{ $ref: "#/components/parameters/name" }],
      responses: { "200": { $ref: "#/components/responses/Item" } } } }
    """

  @Test func `a list that is read by POST gives ids and names`() throws {
    let draft = try Self.draft(Self.flows)
    #expect(draft.called == 3 && draft.unsafe.isEmpty && draft.left.isEmpty, "\(draft.text)")
    #expect(draft.text.contains(#""$[*].id""#) && draft.text.contains(#""$[*].name""#), "\(draft.text)")
  }

  /// The list is `/flows/filter`, and the place of its items is `/flows/{id}`.
  @Test func `a rejected id of a list that is read by POST is replaced by another field`() throws {
    let draft = try Self.draft(Self.flows) { $0.secondNames = [["flows"]] }
    #expect(draft.called == 3 && !draft.text.contains(#""$[*].id""#), "\(draft.text)")
  }

  @Test func `a map of objects is a list`() throws {
    let draft = try Self.draft(
      """
      /services: { get: { operationId: listServices, responses: { "200": { $ref: "#/components/responses/Map" } } } }
      /services/{name}: { get: { operationId: getService, parameters: [{ $ref: "#/components/parameters/name" }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      """)
    #expect(draft.called == 2 && draft.text.contains(#""$[*].name""#), "\(draft.text)")
  }

  @Test func `fields of a response name the parents of other resources`() throws {
    let draft = try Self.draft(
      """
      /identity: { get: { operationId: whoAmI, responses: { "200": { $ref: "#/components/responses/Identity" } } } }
      /tenants/{tenant}/databases/{database}/rows: { get: { operationId: listRows,
        parameters: [{ $ref: "#/components/parameters/tenant" }, { $ref: "#/components/parameters/database" }],
        responses: { "200": { $ref: "#/components/responses/Items" } } } }
      /tenants/{tenant}/databases/{database}/rows/{id}: { get: { operationId: getRow,
        parameters: [{ $ref: "#/components/parameters/tenant" }, { $ref: "#/components/parameters/database" },
          { $ref: "#/components/parameters/id" }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      """)
    #expect(draft.called == 3 && draft.left.isEmpty, "\(draft.text)")
    #expect(draft.text.contains(#""$.tenant""#) && draft.text.contains(#""$.databases[*]""#), "\(draft.text)")
  }

  /// `id` names different things in different resources.
  @Test func `a field with a general name supplies nothing`() throws {
    let draft = try Self.draft(
      """
      /identity: { get: { operationId: whoAmI, responses: { "200": { $ref: "#/components/responses/Identity" } } } }
      /things/{id}: { get: { operationId: getThing, parameters: [{ $ref: "#/components/parameters/id" }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      """)
    #expect(
      draft.left.map(\.reason) == [
        "the document has no response and no example with a value of its path parameter id"
      ], "\(draft.text)")
  }

  @Test func `an example of another operation with the same path serves as a value`() throws {
    let draft = try Self.draft(
      """
      /things/{id}: { get: { operationId: getThing,
        parameters: [{ name: id, in: path, required: true, example: t-1, schema: { type: string } }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      /things/{id}/size: { get: { operationId: getSize, parameters: [{ $ref: "#/components/parameters/id" }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      """)
    #expect(
      draft.called == 2 && draft.text.components(separatedBy: #"path: { id: "t-1" }"#).count == 3, "\(draft.text)")
  }

  @Test func `an own item is used at every path that names it`() throws {
    let draft = try Self.draft(
      """
      /tasks: { get: { operationId: listTasks, responses: { "200": { $ref: "#/components/responses/Items" } } },
        post: { operationId: addTask, responses: { "201": { $ref: "#/components/responses/Item" } } } }
      /tasks/archive/{task_id}: { delete: { operationId: retireTask,
        parameters: [{ $ref: "#/components/parameters/task_id" }], responses: { "204": { description: Gone } } } }
      """
    ) { $0.writes = true }
    #expect(draft.text.contains(#"path: { task_id: "${newTask}" }"#), "\(draft.text)")
  }

  @Test func `the list below fewer items supplies the names`() throws {
    let draft = try Self.draft(
      """
      /projects/{id}/tasks: { get: { operationId: listTasksOfProject,
        parameters: [{ $ref: "#/components/parameters/id" }],
        responses: { "200": { $ref: "#/components/responses/Items" } } } }
      /my/tasks: { get: { operationId: listTasks, responses: { "200": { $ref: "#/components/responses/Items" } } } }
      /work/{task_id}: { get: { operationId: getWork, parameters: [{ $ref: "#/components/parameters/task_id" }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      """)
    #expect(draft.operations["work"] == ["listTasks", "getWork"], "\(draft.text)")
  }

  /// Users name groups, and groups name users: nothing begins the chain.
  @Test func `lists that need each other are left out`() throws {
    let paths = [("users", "user_id", "groups", "group_id"), ("groups", "group_id", "users", "user_id")].map {
      """
      /\($0.0)/{\($0.1)}/\($0.2): { get: { operationId: \($0.0)\($0.2),
        parameters: [{ name: \($0.1), in: path, required: true, schema: { type: string } }],
        responses: { "200": { $ref: "#/components/responses/Items" } } } }
      """
    }
    let draft = try Self.draft(paths.joined(separator: "\n"))
    #expect(draft.called == 0 && draft.left.count == 2, "\(draft.text)")
    #expect(draft.left.allSatisfy { $0.reason.contains("which has no step in the session") }, "\(draft.text)")
  }

  /// The servers are known, and their zones are not.
  @Test func `a reason names the parameter without a value`() throws {
    let draft = try Self.draft(
      """
      /servers: { get: { operationId: listServers, responses: { "200": { $ref: "#/components/responses/Items" } } } }
      /servers/{id}/zones: { get: { operationId: listZones, parameters: [{ $ref: "#/components/parameters/id" }],
        responses: { "200": { $ref: "#/components/responses/Items" } } } }
      /servers/{id}/zones/{zone_id}: { get: { operationId: getZone, parameters: [{ $ref: "#/components/parameters/id" },
          { name: zone_id, in: path, required: true, schema: { type: string } }],
        responses: { "200": { $ref: "#/components/responses/Item" } } } }
      """
    ) { options in
      (options.isMeasured, options.unreached) = (true, ["getZone"])
    }
    #expect(
      draft.left.map(\.reason) == ["it needs zone_id from listZones, but no response contained a value at $[*].id"],
      "\(draft.text)")
  }

  /// A list cannot supply a value that it needs, and the calm run has no step for it.
  @Test func `a reason names a parameter that no response supplies, also after a calm run`() throws {
    let draft = try Self.draft(
      """
      /servers/related/{id}: { get: { operationId: listRelated, parameters: [{ $ref: "#/components/parameters/id" }],
        responses: { "200": { $ref: "#/components/responses/Items" } } } }
      """
    ) { options in
      (options.isMeasured, options.unreached) = (true, ["listRelated"])
    }
    #expect(
      draft.left.map(\.reason) == [
        "the document has no response and no example with a value of its path parameter id"
      ], "\(draft.text)")
  }
}
