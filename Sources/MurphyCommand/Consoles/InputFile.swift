import Foundation
import Murphy

/// Reads files that a person named, with sentences for what can go wrong.
enum InputFile {
  /// - Parameter path: a file, or `-` for standard input.
  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      let handle = path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
      return Array(try handle.readToEnd() ?? Data())
    } catch {
      var folder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &folder)
      let reason = !exists ? "there is no such file" : folder.boolValue ? "it is a folder" : "it cannot be read"
      Console.error("murphy: cannot read \(path): \(reason).")
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
