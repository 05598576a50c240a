import ArgumentParser
import Foundation
import Murphy
import MurphyModel

/// `-e NAME=VALUE` and `--env-file`: variables that a scenario may read with `env(NAME)`, as if the shell had set them.
struct EnvironmentArguments: ParsableArguments {
  @Option(
    name: [.customShort("e"), .customLong("env")],
    help: ArgumentHelp("Set a variable that the scenario reads with env(NAME).", valueName: "name=value"))
  var variables: [String] = []
  @Option(
    help: """
      Read variables from a file that has one NAME=VALUE on each line (repeatable). The values of a later file \
      override the values of an earlier file. The values of -e override the values of all files.
      """) var envFile: [String] =
      []

  /// Sets them in the process before any variable is read. So they apply to every part of a verb, and to the programs
  /// that it starts.
  func validate() throws {
    for file in envFile {
      let bytes: [UInt8]
      do {
        bytes = try BoundedFile.read(file, limit: BoundedFile.scenario)
      } catch {
        throw ValidationError("--env-file: cannot read \(file): \(error).")
      }
      for (name, value) in try EnvironmentFile(String(decoding: bytes, as: UTF8.self), file: file).variables {
        setenv(name, value, 1)
      }
    }
    for text in variables {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, EnvironmentFile.isName(parts[0]) else {
        throw ValidationError("-e takes NAME=VALUE, found \"\(parts.first ?? "")\" without a value.")
      }
      setenv(String(parts[0]), String(parts[1]), 1)
    }
  }
}

/// The lines of a `.env` file: `NAME=VALUE`, `export NAME='VALUE'`, comments after `#`.
struct EnvironmentFile {
  private(set) var variables: [(String, String)] = []

  /// - Throws: `ValidationError` with the line of the first error; it shows no value.
  init(_ text: String, file: String) throws {
    for (number, line) in text.textLines.enumerated() {
      var line = line[...].trimmingPrefix { $0.isWhitespace }
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("export ") { line = line.dropFirst(7).trimmingPrefix { $0 == " " } }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, Self.isName(parts[0]) else {
        throw ValidationError("--env-file \(file):\(number + 1): this line is not valid; expected NAME=VALUE.")
      }
      guard let value = Self.value(parts[1]) else {
        throw ValidationError("--env-file \(file):\(number + 1): the value of \(parts[0]) has no closing quote.")
      }
      variables.append((String(parts[0]), value))
    }
  }

  /// A shell's name: letters, digits and underscores, not beginning with a digit.
  static func isName(_ name: Substring) -> Bool {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
  }

  /// A value without its quotes; nil if they are not closed. Within double quotes `\n`, `\"` and `\\` have the same
  /// meaning as in a shell's `$'…'`. Without quotes a comment may follow.
  private static func value(_ text: Substring) -> String? {
    guard let quote = text.first, quote == "\"" || quote == "'" else {
      let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
      let value = text[..<end]
      return value.lastIndex { !$0.isWhitespace }.map { String(value[...$0]) } ?? ""
    }
    var value = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        value += character == "n" ? "\n" : String(character)
        isEscaped = false
      } else if character == "\\", quote == "\"" {
        isEscaped = true
      } else if character == quote {
        return value
      } else {
        value.append(character)
      }
    }
    return nil
  }
}
