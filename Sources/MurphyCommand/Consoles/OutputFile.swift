import Foundation
import Murphy

/// Writes what a verb found as JSON, for other programs.
enum OutputFile {
  /// - Parameter path: a file, or `-` for standard output.
  static func write(_ value: some Encodable, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text: String
    do {
      text = JSONLayout.escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
      if path == "-" {
        Console.printRaw(text)
      } else {
        try AtomicFile.write(text, to: path)
      }
    } catch {
      Console.error("murphy: cannot write \(path): \(error)")
      throw ExitStatus.usage
    }
  }
}
