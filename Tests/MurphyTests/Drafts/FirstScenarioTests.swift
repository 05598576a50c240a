import Foundation
import Murphy
import TestSupport
import Testing

/// `murphy init`: what it drafts is read without a mistake, and calls what it can.
@Suite struct FirstScenarioTests {
  private static let systems = ["murphys-laws", "monica", "journal", "milo"]

  static func document(_ system: String) -> String { "\(Repository.root)/scenarios/\(system)/openapi.yaml" }

  static func draft(
    _ document: String, _ arguments: [String] = [], environment: [String: String] = [:],
    _ body: (Program.Outcome, String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/first.yaml"
      let outcome = try await Program().run(["init", document, "-o", file] + arguments, environment: environment)
      try await body(outcome, file)
    }
  }

  @Test(arguments: systems, [[], ["--writes"]])
  func `a draft has no mistake`(system: String, arguments: [String]) async throws {
    try await Self.draft(Self.document(system), arguments) { outcome, file in
      #expect(outcome.status == 0, "\(outcome.errors)")
      let checked = try await Program().run(["check", file])
      #expect(checked.status == 0 && checked.output.contains("no errors, no warnings"), "\(checked.errors)")
    }
  }

  @Test func `responses give what later requests need`() async throws {
    try await Self.draft(Self.document("murphys-laws"), ["--writes"]) { _, file in
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for line in [
        #"save: { lawIds: "$.data[*].id" }"#, "- if: ${count(lawIds) > 0}", #"- set: { lawId: "${pick(lawIds)}" }"#,
        #"path: { id: "${lawId}" }"#, "- call: submitLaw", #"client: { headers: { X-Device-ID: "${uuid()}" } }"#,
        "- burst: 65",
      ] { #expect(text.contains(line), "\(line)") }
      // What takes a vote back stands behind the vote.
      let (vote, removal) = (text.range(of: "call: voteLaw"), text.range(of: "call: removeVote"))
      #expect(try #require(vote).lowerBound < #require(removal).lowerBound)
    }
  }

  @Test func `forms with files and binary bodies are drafted`() async throws {
    let contract = """
      openapi: 3.1.0
      info: { title: Photos, version: "1" }
      paths:
        /photos:
          post:
            operationId: addPhoto
            requestBody:
              required: true
              content:
                multipart/form-data:
                  schema:
                    type: object
                    required: [title, photo, meta]
                    properties:
                      title: { type: string }
                      photo: { type: string, contentMediaType: image/png }
                      meta: { type: object, properties: { width: { type: integer } } }
            responses: { "201": { description: Made } }
        /raw:
          post:
            operationId: sendBytes
            requestBody:
              { required: true, content: { application/octet-stream: { schema: { type: string, format: binary } } } }
            responses: { "204": { description: Taken } }
      """
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(["init", folder + "/api.yaml", "--writes", "-o", folder + "/first.yaml"])
      let text = try String(contentsOfFile: folder + "/first.yaml", encoding: .utf8)
      for line in [
        #"photo: { value: "murphy-${string(8)}", name: "murphy.txt", type: application/octet-stream }"#, "title: ",
        "meta: { value: {", #"text: "murphy""#, "content-type: application/octet-stream",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      let checked = try await Program().run(["check", folder + "/first.yaml"])
      #expect(outcome.status == 0 && checked.status == 0, "\(outcome.errors)\(checked.errors)")
      // The contract's own parts are checked, as a body is.
      let wrong = text.replacing("title: ", with: "titel: ")
      try wrong.write(toFile: folder + "/first.yaml", atomically: true, encoding: .utf8)
      let warned = try await Program().run(["check", folder + "/first.yaml"])
      #expect((warned.output + warned.errors).contains("the body of addPhoto: "), "\(warned.output)\(warned.errors)")
    }
  }

  @Test func `an API with client credentials is asked for tokens`() async throws {
    let contract = """
      openapi: 3.1.0
      info: { title: Laws, version: "1" }
      components:
        securitySchemes:
          login:
            type: oauth2
            flows: { clientCredentials: { tokenUrl: https://login.test/token, scopes: { read: "", write: "" } } }
      security: [{ login: [read] }]
      paths:
        /laws: { get: { operationId: listLaws, responses: { "200": { description: All } } } }
      """
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(["init", folder + "/api.yaml", "-o", folder + "/first.yaml"])
      let text = try String(contentsOfFile: folder + "/first.yaml", encoding: .utf8)
      for line in [
        #"token-url: "https://login.test/token""#, "client-id: ${env(MURPHY_CLIENT_ID)}",
        "client-secret: ${env(MURPHY_CLIENT_SECRET)}", #"scope: "read write""#, "#   MURPHY_CLIENT_SECRET",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(!text.contains("MURPHY_AUTH_LOGIN"))
      let checked = try await Program().run(["check", folder + "/first.yaml"])
      #expect(outcome.status == 0 && checked.status == 0, "\(outcome.errors)\(checked.errors)")
    }
  }

  @Test func `without writes nothing is changed`() async throws {
    try await Self.draft(Self.document("murphys-laws")) { _, file in
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for operation in ["submitLaw", "voteLaw", "removeVote"] {
        #expect(!text.contains("call: \(operation)") && text.contains("#   \(operation)"))
      }
    }
  }

  @Test func `links of the document and locations are followed`() async throws {
    let document = """
      openapi: 3.1.0
      info: { title: Links, version: "1" }
      paths:
        /me:
          get:
            operationId: whoAmI
            responses:
              "200":
                description: The user
                content: { application/json: { schema: { type: object, properties: { team: { type: object } } } } }
                links: { team: { operationId: getTeam, parameters: { team_id: "$response.body#/team/key" } } }
        /teams/{team_id}:
          get:
            operationId: getTeam
            parameters: [{ name: team_id, in: path, required: true, schema: { type: string } }]
            responses: { "200": { description: A team } }
        /notes:
          post:
            operationId: addNote
            requestBody:
              content: { application/json: { schema: { type: object, properties: { text: { type: string, example: "costs ${5}" } } } } }
            responses:
              "201": { description: Added, headers: { Location: { schema: { type: string } } } }
        /notes/{note}:
          parameters: [{ name: note, in: path, required: true, schema: { type: string } }]
          get: { operationId: getNote, responses: { "200": { description: A note } } }
          delete: { operationId: removeNote, responses: { "204": { description: Gone } } }
        /lost/{thing}:
          get:
            operationId: getLost
            parameters: [{ name: thing, in: path, required: true, schema: { type: string } }]
            responses: { "200": { description: Lost } }
      """
    try await withTemporaryFolder { folder in
      try document.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      try await Self.draft(folder + "/api.yaml", ["--writes"]) { outcome, file in
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
          outcome.errors.contains(
            "left out: getLost: the document has no response and no example with a value of its path parameter thing"))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for line in [
          #"save: { teamId: { path: "$.team.key", default: null } }"#, "- if: ${teamId != null}",
          "save: { newNoteLocation: { header: Location } }",
          #"- set: { newNote: "${last(split(first(split(newNoteLocation, '?')), '/'))}" }"#, "- call: removeNote",
          "costs $${5}",
        ] { #expect(text.contains(line), "\(line)\n\(text)") }
      }
    }
  }

  @Test func `values fit the schemas and are new for each user`() async throws {
    let document = """
      openapi: 3.0.3
      info: { title: Users, version: "1" }
      paths:
        /users:
          post:
            operationId: addUser
            parameters:
              - { name: X-Tenant, in: header, required: true, schema: { type: string, pattern: "^t-[0-9]{3}$" } }
              - { name: Idempotency-Key, in: header, required: true, schema: { type: string, format: uuid } }
            requestBody:
              content:
                application/json:
                  schema:
                    type: object
                    required: [email, name, currency, n, ip, step]
                    properties:
                      email: { type: string, format: email }
                      name: { type: string, maxLength: 50 }
                      currency: { type: string, pattern: "^[A-Z]{3}$" }
                      n: { type: number, minimum: 0, maximum: 0.5, exclusiveMaximum: true, exclusiveMinimum: true }
                      ip: { type: string, format: ipv4 }
                      step: { type: integer, multipleOf: 5, minimum: 3 }
            responses: { "201": { description: Added } }
      """
    try await withTemporaryFolder { folder in
      try document.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      try await Self.draft(folder + "/api.yaml", ["--writes"]) { outcome, file in
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for part in [
          #"X-Tenant: "t-000""#, #"Idempotency-Key: "${uuid()}""#, #""email":"${email()}""#, #""currency":"AAA""#,
          #""name":"murphy-${string(8)}""#, #""step":5"#, #""ip":"192.0.2.1""#, #""n":0.25"#,
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      }
    }
  }

  @Test func `a file that exists is not written over`() async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/mine.yaml"
      try "mine".write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try await Program().run(["init", Self.document("milo"), "-o", file])
      #expect(outcome.status == 2 && outcome.errors.contains("exists"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }
  }
}

/// Whatever a document holds, a draft of it is a scenario without a mistake, or a sentence says why there is none.
@Suite struct FirstScenarioDocumentTests {
  @Test(arguments: ["pass", "fail"]) func `every document gives a draft or a sentence`(kind: String) async throws {
    let folder = PublicData.openAPI.appending(path: kind).path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count > 10)
    for name in names {
      try await FirstScenarioTests.draft("\(folder)/\(name)", ["--writes"]) { outcome, file in
        #expect(outcome.status == 0 || outcome.status == 2, "\(name): \(outcome.status) \(outcome.errors)")
        #expect(outcome.status == 0 || !outcome.errors.isEmpty, "\(name)")
        if FileManager.default.fileExists(atPath: file) {
          #expect(outcome.status == 0, "\(name): a draft with a mistake: \(outcome.errors)")
        }
      }
    }
  }
}
