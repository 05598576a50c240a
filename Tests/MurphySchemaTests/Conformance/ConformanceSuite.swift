import Foundation
import MurphySchema
import TestSupport

/// The public JSON-Schema-Test-Suite.
struct ConformanceSuite {
  static let folder = PublicData.schemas

  struct Group {
    let file: String
    let description: String
    let schema: JSONValue
    let tests: [Test]
  }

  struct Test {
    let description: String
    let data: JSONValue
    let valid: Bool
  }

  /// The groups of a draft; with `formats` those of its `format` folder alone.
  static func groups(of draft: String, formats: Bool) throws -> [Group] {
    let folder = folder.appending(path: "tests/\(draft)" + (formats ? "/format" : ""))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".json") }.sorted().flatMap { name in
      let document = try JSONValue.parse(Data(contentsOf: folder.appending(path: name)))
      return (document.array ?? []).map { group in
        Group(
          file: name, description: group["description"]?.string ?? "", schema: group["schema"] ?? .null,
          tests: (group["tests"]?.array ?? []).map {
            Test(
              description: $0["description"]?.string ?? "", data: $0["data"] ?? .null, valid: $0["valid"]?.bool ?? false
            )
          })
      }
    }
  }

  /// The documents that the tests expect at `http://localhost:1234/`.
  static func remote(_ uri: String) throws -> JSONValue? {
    let prefix = "http://localhost:1234/"
    guard uri.hasPrefix(prefix) else { return nil }
    let file = folder.appending(path: "remotes/" + uri.dropFirst(prefix.count))
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONValue.parse(Data(contentsOf: file))
  }
}
