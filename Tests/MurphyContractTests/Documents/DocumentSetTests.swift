import Foundation
import MurphyContract
import MurphyModel
import MurphySchema
import Testing

@Suite struct DocumentSetTests {
  private func set(_ files: [String: String]) throws -> DocumentSet {
    var set = DocumentSet(reader: .memory(files))
    _ = try set.open("/api/openapi.yaml", named: "openapi.yaml")
    return set
  }

  @Test func `references lead across files and back`() throws {
    var set = try set([
      "/api/openapi.yaml": "a: { $ref: 'parts/common.yaml#/x~1y' }\nb: { value: 1 }",
      "/api/parts/common.yaml": "x/y: { $ref: '../openapi.yaml#/b' }",
    ])
    let resolved = try set.resolved(#require(set.root(0)["a"]))
    #expect(resolved.value == ["value": 1])
    #expect(resolved.document == 0)
    #expect(set.pointerText(resolved) == "#/b")
  }

  @Test func `a reference in a circle is an error at its place`() throws {
    var set = try set(["/api/openapi.yaml": "a: { $ref: '#/b' }\nb: { $ref: '#/a' }"])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.text.hasPrefix("openapi.yaml:1:12: error: this $ref leads back to itself") == true)
  }

  @Test func `a reference to nowhere names the nearest name`() throws {
    var set = try set([
      "/api/openapi.yaml": "a: { $ref: '#/components/schemas/Lav' }\ncomponents: { schemas: { Law: {} } }"
    ])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(
      error?.message == "\"#/components/schemas/Lav\" cannot be resolved: there is no \"Lav\". Did you mean \"Law\"?")
    #expect(error?.mark == SourceMark(file: "openapi.yaml", line: 1, column: 12))
  }

  @Test func `nothing is fetched from the network`() throws {
    var set = try set(["/api/openapi.yaml": "a: { $ref: 'https://example.org/x.yaml#/y' }"])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message.contains("murphy does not fetch it. `murphy check --bundle=FILE`") == true)
  }

  @Test func `what a reference may not name is not opened`() throws {
    final class Opened: @unchecked Sendable { var paths: [String] = [] }
    let opened = Opened()
    let text = "a: { $ref: '/dev/zero' }\nb: { $ref: '../x.yaml' }\nc: { $ref: 'pipe' }\nd: { $ref: 'd.yaml#/a' }"
    let reader = FileReader(isSpecial: { $0 == "/api/pipe" }) { path in
      opened.paths.append(path)
      return Array((path == "/api/openapi.yaml" ? text : "a: 1").utf8)
    }
    var set = DocumentSet(reader: reader)
    _ = try set.open("/api/openapi.yaml", named: "openapi.yaml")
    set.openReferenced()
    for name in ["a", "b", "c", "d"] { _ = try? set.resolved(#require(set.root(0)[name])) }
    #expect(opened.paths == ["/api/openapi.yaml", "/api/d.yaml"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(#require(set.root(0)["c"])) }
    #expect(error?.message == "\"pipe\" is not a regular file")
  }

  @Test(arguments: ["/etc/passwd", "file:///etc/passwd", "../secrets.yaml", "parts/../../secrets.yaml", "/apicopy/x"])
  func `a reference out of the contracts folder is not read`(_ reference: String) throws {
    let files = [
      "/api/openapi.yaml": "a: { $ref: '\(reference)#/a' }", "/etc/passwd": "root:x:0:0", "/secrets.yaml": "a: 1",
      "/apicopy/x": "a: 1",
    ]
    var set = try set(files)
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message.contains("outside of the contract's folder /api") == true)
    #expect(error?.message.contains("root:x") == false)

    var reader = FileReader.memory(files)
    reader.folders = ["/"]
    var allowed = DocumentSet(reader: reader)
    _ = try allowed.open("/api/openapi.yaml", named: "openapi.yaml")
    let found = Result { try allowed.resolved(site) }
    if case .failure(let error as Diagnostic) = found { #expect(!error.message.contains("outside of")) }
  }

  @Test func `a link out of the contracts folder is not followed`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "murphy-\(UInt64.random(in: 0 ... .max))")
    let api = root.appending(path: "api")
    try FileManager.default.createDirectory(at: api, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    try "a: 1".write(to: root.appending(path: "secret.yaml"), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      at: api.appending(path: "link.yaml"), withDestinationURL: root.appending(path: "secret.yaml"))
    let file = api.appending(path: "openapi.yaml")
    try "a: { $ref: 'link.yaml#/a' }".write(to: file, atomically: true, encoding: .utf8)
    var set = DocumentSet(reader: .files)
    _ = try set.open(file.path, named: file.path)
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message.contains("outside of the contract's folder") == true)
  }

  @Test func `a byte order mark is left out`() throws {
    let set = try set(["/api/openapi.yaml": "\u{FEFF}a: 1"])
    #expect(set.root(0)["a"]?.value == 1)
    let json = try self.set(["/api/openapi.yaml": "\u{FEFF}{\"a\": 1}"])
    #expect(json.root(0)["a"]?.value == 1)
  }

  @Test func `a missing file is an error at the reference`() throws {
    var set = try set(["/api/openapi.yaml": "a: { $ref: 'none.yaml' }"])
    let site = try #require(set.root(0)["a"])
    let error = #expect(throws: Diagnostic.self) { try set.resolved(site) }
    #expect(error?.message == "\"none.yaml\" cannot be used: none.yaml:1:1: cannot read /api/none.yaml")
  }
}
