import Foundation
import MurphySchema
import TestSupport
import Testing

/// The compliance suite of RFC 9535.
@Suite(.requires(data: PublicData.paths)) struct JSONPathConformanceTests {
  @Test func `every case of the compliance suite holds`() throws {
    let cases = try #require(JSONValue.parse(Data(contentsOf: PublicData.paths))["tests"]?.array)
    #expect(cases.count > 500)
    for test in cases { Self.check(test) }
    print("JSONPath compliance suite: \(cases.count) cases")
  }

  private static func check(_ test: JSONValue) {
    let name = test["name"]?.string ?? "without a name"
    let selector = test["selector"]?.string ?? ""
    let path = Result { try JSONPath(selector) }
    if test["invalid_selector"]?.bool == true {
      #expect(throws: JSONPathError.self, "\(name): \(selector) is not valid") { try path.get() }
      return
    }
    guard case .success(let path) = path, let document = test["document"] else {
      Issue.record("\(name): \(path)")
      return
    }
    let results = test["results"]?.array ?? [test["result"] ?? []]
    #expect(results.contains(.array(path.values(in: document))), "\(name): \(selector)")
    guard let nodes = try? path.nodes(in: document) else {
      Issue.record("\(name): too many nodes")
      return
    }
    #expect(results.contains(.array(nodes.map(\.value))), "\(name): \(selector)")
    let paths = test["results_paths"]?.array ?? [test["result_paths"] ?? []]
    #expect(paths.contains(.array(nodes.map { .string($0.path) })), "\(name): \(selector)")
    checkTape(path, document, results, name)
  }

  /// The tape must show what the value shows.
  private static func checkTape(_ path: JSONPath, _ document: JSONValue, _ results: [JSONValue], _ name: String) {
    let parser = TapeParser()
    Array(document.text.utf8).withUnsafeBytes { bytes in
      switch parser.parse(bytes) {
      case .tape(let tape): #expect(results.contains(.array(path.values(in: tape))), "\(name) on the tape")
      case .value(let value): #expect(results.contains(.array(path.values(in: value))), "\(name) beside the tape")
      case .malformed(let error): Issue.record("\(name): \(error)")
      }
    }
  }
}
