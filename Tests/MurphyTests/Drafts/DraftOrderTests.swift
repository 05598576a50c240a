import Foundation
import Glibc
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// The order of a draft's steps, and what `init` says of a target that does not fit the document.
@Suite struct DraftOrderTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Projects, version: "1" }
    components:
      securitySchemes: { Basic: { type: http, scheme: basic } }
      schemas: { Named: { type: object, required: [id], properties: { id: { type: string } } } }
      responses:
        One: { description: It, content: { application/json: { schema: { $ref: "#/components/schemas/Named" } } } }
        Gone: { description: Gone }
      requestBodies:
        Name: { required: true, content: { application/json: { schema: {
          type: object, required: [name], properties: { name: { type: string, example: my_project } } } } } }
    paths:
      /projects:
        post: { operationId: addProject, requestBody: { $ref: "#/components/requestBodies/Name" },
          responses: { "201": { $ref: "#/components/responses/One" } } }
      /projects/{project}:
        parameters: [&project { name: project, in: path, required: true, schema: { type: string } }]
        get: { operationId: getProject, responses: { "200": { $ref: "#/components/responses/One" } } }
        delete: { operationId: deleteProject, responses: { "204": { $ref: "#/components/responses/Gone" } } }
      /labels:
        post: { operationId: addLabel, requestBody: { $ref: "#/components/requestBodies/Name" },
          responses: { "201": { $ref: "#/components/responses/One" } } }
      /labels/{label}:
        parameters: [&label { name: label, in: path, required: true, schema: { type: string } }]
        delete: { operationId: deleteLabel, responses: { "204": { $ref: "#/components/responses/Gone" } } }
      /projects/{project}/labels/{label}:
        parameters: [*project, *label]
        put: { operationId: assignLabel, responses: { "204": { $ref: "#/components/responses/Gone" } } }
        delete: { operationId: unassignLabel, responses: { "204": { $ref: "#/components/responses/Gone" } } }
      /flows:
        post: { operationId: addFlow, requestBody: { $ref: "#/components/requestBodies/Name" },
          responses: { "201": { $ref: "#/components/responses/One" } } }
      /flows/{flow}:
        parameters: [{ name: flow, in: path, required: true, schema: { type: string } }]
        delete: { operationId: deleteFlow, responses: { "204": { $ref: "#/components/responses/Gone" } } }
      /flow_runs:
        post: { operationId: addRun, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [flow_id], properties: { flow_id: { type: string } } } } } },
          responses: { "201": { $ref: "#/components/responses/One" } } }
      /flow_runs/{run}:
        parameters: [{ name: run, in: path, required: true, schema: { type: string } }]
        delete: { operationId: deleteRun, responses: { "204": { $ref: "#/components/responses/Gone" } } }
      /task_runs:
        post: { operationId: addTask, requestBody: { $ref: "#/components/requestBodies/Name" },
          responses: { "201": { $ref: "#/components/responses/One" } } }
      /task_runs/{task}:
        parameters: [{ name: task, in: path, required: true, schema: { type: string } }]
        delete: { operationId: deleteTask, responses: { "204": { $ref: "#/components/responses/Gone" } } }
      /artifacts:
        post: { operationId: addArtifact, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [flow_run_id, task_run_id],
            properties: { flow_run_id: { type: string }, task_run_id: { type: string } } } } } },
          responses: { "201": { description: It } } }
      /tags:
        post: { operationId: addTags, requestBody: { required: true, content: { application/json: { schema: {
            type: array, items: { type: object, required: [text], properties: { text: { type: string } } } } } } },
          responses: { "201": { description: They } } }
      /health: { get: { operationId: health, responses: { "200": { description: Fine } } } }
    """

  private static func withDocument(_ body: (_ document: String, _ file: String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      try await body(folder + "/api.yaml", folder + "/first.yaml")
    }
  }

  /// A step that needs an item stands before the one that deletes it.
  @Test func `items are deleted when nothing needs them any more`() async throws {
    try await Self.withDocument { document, file in
      let outcome = try await Program().run(["init", document, "--writes", "-o", file])
      let text = try String(contentsOfFile: file, encoding: .utf8)
      func place(_ operation: String) -> String.Index? { text.range(of: "call: \(operation)\n")?.lowerBound }
      let uses = ["getProject", "assignLabel", "unassignLabel"].map(place)
      let deletion = try #require(place("deleteProject"), "\(text)\(outcome.errors)")
      for use in uses { #expect(try #require(use, "\(text)\(outcome.errors)") < deletion, "\(text)") }
    }
  }

  @Test func `a body that names items of two collections gets both`() async throws {
    try await Self.withDocument { document, file in
      let outcome = try await Program().run(["init", document, "--writes", "-o", file])
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let session = try #require(text.split(separator: "  artifacts:").dropFirst().first, "\(text)\(outcome.errors)")
      let calls = session.matches(of: /call: (\w+)/).map { String($0.output.1) }.prefix { $0 != "addTags" }
      let artifact = try #require(calls.firstIndex(of: "addArtifact"), "\(text)")
      for creation in ["addFlow", "addRun", "addTask"] {
        #expect(calls.filter { $0 == creation }.count == 1 && calls.firstIndex(of: creation)! < artifact, "\(text)")
      }
      for deletion in ["deleteFlow", "deleteRun", "deleteTask"] {
        #expect(try #require(calls.firstIndex(of: deletion), "\(text)") > artifact, "\(text)")
      }
    }
  }

  /// The document's name would exist for every user but the first; an empty list says nothing.
  @Test func `bodies have unique names and an item`() async throws {
    try await Self.withDocument { document, file in
      _ = try await Program().run(["init", document, "--writes", "-o", file])
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(!text.contains("my_project") && !text.contains("body: []"), "\(text)")
    }
  }

  /// A worker that responds in 150 ms cannot keep up with ten users a second. A queue of murphy's own requests is no
  /// latency of the server.
  @Test func `the budgets of a slow server are measured without a queue`() async throws {
    let worker = Mutex(0)
    let server = try WildServer { _, connection in
      worker.withLock { count in
        count += 1
        usleep(150_000)
      }
      connection.answer(body: "[]")
    }
    defer { server.stop() }
    let document = """
      openapi: 3.0.3
      info: { title: Slow, version: "1" }
      paths:
        /a: { get: { operationId: getA, responses: { "200": { description: fine } } } }
        /b: { get: { operationId: getB, responses: { "200": { description: fine } } } }
      """
    try await withTemporaryFolder { folder in
      try document.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let file = folder + "/first.yaml"
      let outcome = try await Program().run(["init", folder + "/api.yaml", "--target", server.url, "-o", file])
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let budgets = text.matches(of: /p95: ([0-9]+)ms/).map { Int($0.output.1)! }
      #expect(!budgets.isEmpty && budgets.allSatisfy { $0 < 4_000 }, "\(outcome.errors)\(text)")
      let rate = try #require(text.firstMatch(of: #/hold: ([0-9.]+)/s/#).flatMap { Double($0.output.1) }, "\(text)")
      #expect(rate < 6, "\(text)")
      #expect(text.contains("did not keep up with a higher load"), "\(text)")
    }
  }

  /// No value makes a path without parameters exist: the target has another base path.
  @Test func `a target that knows no path is an error`() async throws {
    let server = try WildServer { _, connection in connection.answer(404, body: "{}") }
    defer { server.stop() }
    try await Self.withDocument { document, file in
      let outcome = try await Program().run(["init", document, "--writes", "--target", server.url, "-o", file])
      #expect(outcome.status == 2 && !FileManager.default.fileExists(atPath: file), "\(outcome.errors)")
      for part in ["returned only status 404.", "Murphy wrote no scenario."] {
        #expect(outcome.errors.contains(part), "\(outcome.errors)")
      }
    }
  }

  /// The variable is there, and no operation asks for it: nobody should look for another cause of its 401s.
  @Test func `credentials that no operation asks for are named`() async throws {
    let server = try WildServer { _, connection in connection.answer(401, body: "{}") }
    defer { server.stop() }
    let sentence = "MURPHY_AUTH_BASIC is set but not sent: no operation names the scheme Basic"
    let environment = ["MURPHY_AUTH_BASIC": "admin:secret-of-admin"]
    try await Self.withDocument { document, file in
      let outcome = try await Program().run(
        ["init", document, "--target", server.url, "-o", file], environment: environment)
      #expect(outcome.errors.contains(sentence) && !outcome.errors.contains("secret-of-admin"), "\(outcome.errors)")
      let run = try await Program().run(
        ["run", file, "--target", server.url, "--duration", "1s"], environment: environment)
      #expect(run.errors.contains(sentence), "\(run.errors)")
      let explored = try await Program().run(
        ["explore", document, "--target", server.url, "--max-seconds", "2", "-v"], environment: environment)
      #expect(explored.output.contains(sentence), "\(explored.output)")
    }
  }
}
