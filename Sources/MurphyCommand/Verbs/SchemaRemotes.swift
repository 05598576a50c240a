import Foundation
import Murphy

/// Documents that a schema's `$ref` may lead to: given files by URI, and files beside the schema.
struct SchemaRemotes {
  private var documents: [String: JSONValue] = [:]

  /// - Parameter pairs: `URI=FILE`.
  init(_ pairs: [String]) throws {
    for pair in pairs {
      guard let sign = pair.lastIndex(of: "=") else {
        Console.error("murphy schema: --remote takes URI=FILE, found \"\(pair)\".")
        throw ExitStatus.usage
      }
      documents[String(pair[..<sign])] = try InputFile.json(String(pair[pair.index(after: sign)...]))
    }
  }

  /// The document at an absolute URI; nil where there is none.
  func document(_ uri: String) throws -> JSONValue? {
    if let document = documents[uri] { return document }
    guard let url = URL(string: uri), url.isFileURL, let data = FileManager.default.contents(atPath: url.path) else {
      return nil
    }
    return try JSONValue.parse(Array(data))
  }
}
