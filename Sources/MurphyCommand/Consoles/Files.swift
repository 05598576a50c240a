import Foundation
import Murphy

/// Reads files that a user named, with sentences for errors.
enum InputFile {
  /// - Parameter path: a file, or `-` for standard input.
  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return path == "-"
        ? try BoundedFile.read(STDIN_FILENO, limit: BoundedFile.data)
        : try BoundedFile.read(path, limit: BoundedFile.data)
    } catch {
      // A string that looks like a URL may contain a password.
      let shown = path.contains("//") || path.contains("@") ? URLCredentials.masked(path) : path
      Console.error("murphy: cannot read \(shown): \(error.sentence(of: path))")
      throw ExitStatus.usage
    }
  }

  static func json(_ path: String) throws -> JSONValue {
    let bytes = try bytes(path)
    do {
      return try JSONValue.parse(bytes)
    } catch {
      Console.error("\(path):\(error.line):\(error.column): not JSON: \(error.message)")
      throw ExitStatus.usage
    }
  }
}

extension DocumentSearch {
  /// The file on the command line. Without one, the document that the search found, after a sentence about it.
  func document(_ given: String?, for verb: String) async throws(GateError) -> String {
    if let given { return given }
    let found = try await find(for: verb)
    Console.error(found.sentence)
    return found.file
  }
}

/// Writes a verb's result as JSON, for other programs.
enum OutputFile {
  /// - Parameter path: a file, or `-` for standard output.
  static func write(_ value: some Encodable, to path: String) throws {
    do {
      let text = try text(value) + "\n"
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

  static func text(_ value: some Encodable, isPretty: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return JSONLayout.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Sets the output of a later crash: its result in every document, and no other file of an earlier call.
  ///
  /// - Parameter paths: of JSON documents; nil and `-` are ignored.
  static func guardCrash(_ result: some Encodable, _ paths: [String?], stale: [String] = []) throws {
    let text = try text(result) + "\n"
    let files = paths.compactMap(\.self).filter { $0 != "-" }
    CrashGuard(documents: files.map { ($0, text) }, stale: stale).arm()
  }
}
