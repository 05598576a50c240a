import CLinux
import Glibc

/// What the process leaves behind when it crashes: the handler of the fatal signal does these steps, and ends it.
///
/// A handler can make no text, so all texts are made before.
package struct CrashNotes: Sendable {
  private enum Step {
    case folder(String)
    case file(String, text: String)
    case removal(String)
    case stream(Int32, text: String)
  }

  /// A placeholder in texts for the name of the signal.
  package static let signal = "SIGXYZQ"

  private var steps: [Step] = []

  package init() {}

  /// Makes the folder and those above it.
  package mutating func make(folder path: String) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/" + part
      steps.append(.folder(made))
    }
  }

  package mutating func write(_ text: String, to path: String) { steps.append(.file(path, text: text)) }
  package mutating func remove(_ path: String) { steps.append(.removal(path)) }
  package mutating func print(_ text: String) { steps.append(.stream(STDOUT_FILENO, text: text)) }
  package mutating func error(_ text: String) { steps.append(.stream(STDERR_FILENO, text: text)) }

  /// From now on a crash does these steps, in place of earlier ones, and ends the process with `status`.
  package func arm(status: Int32) {
    let notes = sys_notes_create()
    for step in steps {
      switch step {
      case .folder(let path): sys_notes_folder(notes, path)
      case .removal(let path): sys_notes_removal(notes, path)
      case .file(let path, let text):
        sys_notes_file(notes, path)
        add(text, to: notes)
      case .stream(let descriptor, let text):
        sys_notes_stream(notes, descriptor)
        add(text, to: notes)
      }
    }
    sys_notes_arm(notes, status)
  }

  private func add(_ text: String, to notes: sys_notes?) {
    for part in text.split(separator: Self.signal, omittingEmptySubsequences: false) {
      let bytes = Array(part.utf8)
      bytes.withUnsafeBytes { sys_notes_part(notes, $0.bindMemory(to: CChar.self).baseAddress, bytes.count) }
    }
  }
}
