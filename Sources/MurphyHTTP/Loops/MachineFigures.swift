import CLinux
import Glibc
import MurphyModel

/// The system's figures for this machine or container, and murphy's use of it.
package struct MachineFigures: Sendable {
  /// CPU time of all cores since the machine started, and the part that the hypervisor gave to others. In ticks
  /// (`/proc/stat`); nil if the system does not report it.
  package var cpu: (all: Int, stolen: Int)?
  /// Ports in TIME_WAIT (`/proc/net/sockstat`).
  package var timeWait: Int
  package var descriptors: Int

  /// The current figures. Reading takes some tens of microseconds, and a millisecond if thousands of descriptors are
  /// open.
  package static var now: MachineFigures {
    MachineFigures(cpu: cpuTime, timeWait: portsInTimeWait, descriptors: openDescriptors)
  }

  /// The maximum number of open files of this process.
  package static var descriptorLimit: Int { Int(clamping: sys_file_limit()) }

  /// The number of ports that the system assigns to connections without a chosen port; 0 if it does not report it.
  package static var ports: Int {
    let ends = numbers(in: firstLine("/proc/sys/net/ipv4/ip_local_port_range"))
    return ends.count == 2 ? max(ends[1] - ends[0] + 1, 0) : 0
  }

  /// The share of the time between two measurements that the hypervisor gave to others, in percent.
  package static func steal(from begin: MachineFigures, to end: MachineFigures) -> Double? {
    guard let first = begin.cpu, let last = end.cpu, last.all > first.all else { return nil }
    return Double(max(last.stolen - first.stolen, 0)) * 100 / Double(last.all - first.all)
  }

  /// `cpu  user nice system idle iowait irq softirq steal guest guest_nice`; the last two are part of the first two.
  private static var cpuTime: (all: Int, stolen: Int)? {
    let ticks = numbers(in: firstLine("/proc/stat") { $0.hasPrefix("cpu ") })
    guard ticks.count >= 8 else { return nil }
    return (ticks.prefix(8).reduce(0, +), ticks[7])
  }

  /// `TCP: inuse 5 orphan 0 tw 12 alloc 7 mem 1`
  private static var portsInTimeWait: Int {
    let words = firstLine("/proc/net/sockstat") { $0.hasPrefix("TCP:") }.split(separator: " ")
    guard let place = words.firstIndex(of: "tw"), place + 1 < words.count else { return 0 }
    return Int(words[place + 1]) ?? 0
  }

  private static var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // `.`, `..` and the folder itself.
    return max(count - 3, 0)
  }

  static func numbers(in line: String) -> [Int] {
    line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
  }

  /// Empty if the line or the file does not exist.
  static func firstLine(_ path: String, _ isWanted: (String) -> Bool = { _ in true }) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, CInt(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if isWanted(text) { return text }
    }
    return ""
  }
}

/// The system's figures for this process.
package enum ProcessFigures {
  /// The peak resident memory, in bytes.
  package static var peakMemory: Int { Int(sys_peak_memory()) }

  /// Raises the limit of open files to the maximum that the system allows; returns the limit that then applies.
  @discardableResult
  package static func raiseFileLimit() -> Int { Int(clamping: sys_raise_file_limit()) }
}

/// Facts about the executable that runs.
package enum BuiltProgram {
  /// `0.2.0`; a build of `make dist` adds the commit: `0.2.0 (commit 8dbba7f2c0a1)`.
  package static var version: String {
    let commit = String(cString: sys_build_commit())
    return ProductVersion.text + (commit.isEmpty ? "" : " (commit \(commit))")
  }
}

/// The actions at a crash of the process: the handler of the fatal signal performs these steps, and ends the process.
///
/// A handler cannot build a string, so all strings are built in advance.
package struct CrashActions: Sendable {
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
