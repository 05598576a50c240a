import MurphyContract
import MurphyJSON
import MurphyModel
import Testing

@Suite struct DocumentSetTests {
  private func set(_ files: [String: String]) throws -> DocumentSet {
    var set = DocumentSet(reader: .memory(files))
    _ = try set.open("/api/openapi.yaml", named: "openapi.yaml")
    return set
  }

  @Test func referencesLeadAcrossFilesAndBack() throws {
    var set = try set([
      "/api/openapi.yaml": "a: { $ref: 'parts/common.yaml#/x~1y' }\nb: { value: 1 }",
      "/api/parts/common.yaml": "x/y: { $ref: '../openapi.yaml#/b' }",
    ])
    let resolved = try set.resolved(#require(set.root(0)["a"]))
    #expect(resolved.value == ["value": 1])
    #expect(resolved.document == 0)
    #expect(set.pointerText(resolved) == "#/b")
  }

  @Test func aReferenceInACircleIsAnErrorAtItsPlace() throws {
    var set = try set(["/api/openapi.yaml": "a: { $ref: '#/b' }\nb: { $ref: '#/a' }"])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.text.hasPrefix("openapi.yaml:1:12: error: this $ref leads back to itself") == true)
  }

  @Test func aReferenceToNowhereNamesTheNearestName() throws {
    var set = try set([
      "/api/openapi.yaml": "a: { $ref: '#/components/schemas/Lav' }\ncomponents: { schemas: { Law: {} } }"
    ])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message == "\"#/components/schemas/Lav\" leads nowhere: there is no \"Lav\". Did you mean \"Law\"?")
    #expect(error?.mark == SourceMark(file: "openapi.yaml", line: 1, column: 12))
  }

  @Test func nothingIsFetchedFromTheNetwork() throws {
    var set = try set(["/api/openapi.yaml": "a: { $ref: 'https://example.org/x.yaml#/y' }"])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message.contains("nothing is fetched") == true)
  }

  @Test func aMissingFileIsAnErrorAtTheReference() throws {
    var set = try set(["/api/openapi.yaml": "a: { $ref: 'none.yaml' }"])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message == "\"none.yaml\" cannot be used: none.yaml:1:1: the file cannot be read: /api/none.yaml")
  }
}
