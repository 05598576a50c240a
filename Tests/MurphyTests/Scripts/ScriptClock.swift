import Foundation
import MurphyServer

/// The time of a pasted script and of the server that it asks: a `sleep` of the script moves it at once, and a call of
/// `curl` by a millisecond on its way there and one on its way back. Nothing else does, so that a busy machine changes
/// no response.
struct ScriptClock: Sendable {
  /// Where the script's programs and what they note lie.
  let folder: URL
  private var file: URL { folder.appending(path: "clock") }

  init() throws {
    folder = URL(filePath: NSTemporaryDirectory() + "limit-replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: file)
    // What the script began before is answered first, as it would be in the seconds that the sleep stands for.
    try add(
      "sleep",
      #"""
      while ps -o pid=,stat= --ppid "$PPID" | grep -v "^ *$$ " | grep -vq ' Z'; do /bin/sleep 0.005; done
      case "$(ps -o comm= -p $(ps -o ppid= -p "$PPID"))" in
      *sh) \#(noting("sleep $1 $PPID")) ;;
      *) \#(noting("sleep $1")) ;;
      esac
      """#)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// A program that stands before all others of its name.
  func add(_ program: String, _ body: String) throws {
    let path = folder.appending(path: program).path
    try "#!/bin/bash\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The command that notes a moment under a name.
  func noting(_ name: String) -> String { "echo \"\(name)\" >> '\(file.path)'" }

  /// For the server: the script's time in nanoseconds.
  var limits: LimitClock {
    LimitClock { Int64(((try? moments())?.last?.seconds ?? 0) * 1e9) }
  }

  /// The moments noted so far, in their order, in seconds since the script began.
  func moments() throws -> [(name: String, seconds: Double)] {
    var now = 0.0
    var beginnings: [Substring: Double] = [:]
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      switch (words[0], words.count) {
      case ("of", 2): beginnings[words[1]] = beginnings[words[1]] ?? now
      // A pause beside a volley counts from the volley's beginning: a shell's forks take no time here.
      case ("sleep", 3): now = max(now, (beginnings.removeValue(forKey: words[2]) ?? now) + (Double(words[1]) ?? 0))
      case ("sleep", 2): now += Double(words[1]) ?? 0
      default: now += 0.001
      }
      return (String(line), now)
    }
  }
}
