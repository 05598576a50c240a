import Foundation
import MurphyJSON
import MurphySchema

/// The public JSON-Schema-Test-Suite, as it lies beside the repository.
struct ConformanceSuite {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/conformance/json-schema-test-suite").standardizedFileURL

  static func holds(_ draft: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "tests/\(draft)").path)
  }

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
  /// - Parameters:
  ///   - words: files of these names, and groups whose schema holds one as a keyword, are left out.
  ///   - rewrite: changes each file's text before it is read.
  static func groups(
    of draft: String, formats: Bool, without words: [String] = [], rewrite: (String) -> String = { $0 }
  ) throws -> [Group] {
    let folder = folder.appending(path: "tests/\(draft)" + (formats ? "/format" : ""))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let files = names.filter { $0.hasSuffix(".json") && !words.contains(String($0.dropLast(5))) }
    return try files.sorted().flatMap { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let document = try JSONValue.parse(rewrite(text))
      let groups = (document.array ?? []).filter { group in
        let schema = group["schema"]?.text ?? ""
        return !words.contains { schema.contains("\"\($0)\":") }
      }
      return groups.map { group in
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
