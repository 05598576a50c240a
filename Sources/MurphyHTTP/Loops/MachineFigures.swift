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
