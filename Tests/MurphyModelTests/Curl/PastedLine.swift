import Foundation
import TestSupport

/// Pastes a line into a real shell in which `curl` is a recorder, and reads back the calls.
struct PastedLine {
  struct Call: Hashable {
    var arguments: [String]
    var input: [UInt8]
  }

  enum Shell: String, CaseIterable {
    case sh, bash, zsh

    var path: String {
      get throws(Tool.Missing) {
        switch self {
        case .sh: "/bin/sh"
        case .bash: try Tool.bash.path
        case .zsh: try Tool.zsh.path
        }
      }
    }
    /// Reads commands from its input as from a keyboard, history expansion included.
    var interactive: [String] {
      switch self {
      case .sh: ["-i"]
      case .bash: ["--norc", "--noprofile", "-i"]
      case .zsh: ["-f", "-i"]
      }
    }
  }

  let shell: Shell
  let isInteractive: Bool

  /// - Returns: the calls, in the order of their process numbers' files; files that the line made beside them.
  func run(_ line: String, environment: [String: String] = [:]) throws -> (calls: [Call], files: [String], said: String)
  {
    let root = FileManager.default.temporaryDirectory.appending(path: "paste-\(UUID().uuidString)")
    let work = root.appending(path: "work")
    let bin = root.appending(path: "bin")
    let calls = root.appending(path: "calls")
    for folder in [work, bin, calls] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: root) }
    let recorder = """
      #!/bin/sh
      file=$(mktemp '\(calls.path)/XXXXXXXX')
      for word do printf '%s\\0' "$word"; done > "$file"
      for word do [ "$word" = @- ] && cat > "$file.in"; done
      printf '%s' "$ANSWER"
      """
    try Data(recorder.utf8).write(to: bin.appending(path: "curl"))
    try Data("#!/bin/sh\nexit 0\n".utf8).write(to: bin.appending(path: "sleep"))
    for name in ["curl", "sleep"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: bin.appending(path: name).path)
    }
    try Data((line + "\n").utf8).write(to: root.appending(path: "line"))
    let process = Process()
    process.executableURL = URL(filePath: try shell.path)
    process.arguments = isInteractive ? shell.interactive : [root.appending(path: "line").path]
    process.currentDirectoryURL = work
    process.environment = environment.merging(
      [
        "PATH": bin.path + ":/usr/local/bin:/usr/bin:/bin", "HOME": work.path, "HISTFILE": "/dev/null", "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
      ]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    if isInteractive {
      let input = Pipe()
      process.standardInput = input
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data((line + "\nexit\n").utf8))
      try input.fileHandleForWriting.close()
    } else {
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let names = try FileManager.default.contentsOfDirectory(atPath: calls.path)
    let found = try names.filter { !$0.hasSuffix(".in") }.map { name in
      let data = try Data(contentsOf: calls.appending(path: name))
      let words = data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      let input = try? Data(contentsOf: calls.appending(path: name + ".in"))
      return Call(arguments: words.map { String(decoding: $0, as: UTF8.self) }, input: Array(input ?? Data()))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: work.path)
    return (found, files, String(decoding: said, as: UTF8.self))
  }
}
