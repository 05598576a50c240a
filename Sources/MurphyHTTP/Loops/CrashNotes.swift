import CLinux
import Glibc

/// The actions at a crash of the process: the handler of the fatal signal performs these steps, and ends the process.
///
/// A handler cannot build a string, so all strings are built in advance.
package struct CrashNotes: Sendable {
  private enum Step {
    case folder(String)
    case file(String, text: String)
    case removal(String)
    case stream(Int32, text: String)
  }

  /// A placeholder in strings for the name of the signal.
  package static let signal = "SIGXYZQ"

  private var steps: [Step] = []

  package init() {}

  /// Creates the folder and its parents.
  package mutating func make(folder path: String) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/" + part
      steps.append(.folder(made))
    }
  }

  /// Adds a step that writes a file.
  package mutating func write(_ text: String, to path: String) { steps.append(.file(path, text: text)) }
  /// Adds a step that removes a file.
  package mutating func remove(_ path: String) { steps.append(.removal(path)) }
  /// Adds a step that writes to standard output.
  package mutating func print(_ text: String) { steps.append(.stream(STDOUT_FILENO, text: text)) }
  /// Adds a step that writes to standard error.
  package mutating func error(_ text: String) { steps.append(.stream(STDERR_FILENO, text: text)) }

  /// From now on a crash performs these steps instead of earlier ones, and ends the process with `status`.
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
