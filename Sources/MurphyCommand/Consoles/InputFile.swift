import Foundation
import Murphy

/// Reads files that a person named, with sentences for what can go wrong.
enum InputFile {
  /// - Parameter path: a file, or `-` for standard input.
  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return path == "-"
        ? try BoundedFile.read(STDIN_FILENO, limit: BoundedFile.data)
        : try BoundedFile.read(path, limit: BoundedFile.data)
    } catch {
      Console.error("murphy: cannot read \(path): \(error).")
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
