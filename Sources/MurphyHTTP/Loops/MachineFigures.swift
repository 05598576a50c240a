import CLinux
import Glibc
import MurphyModel

/// What the system says of this machine, or of this container, and of how much of it murphy has open.
package struct MachineFigures: Sendable {
  /// CPU time of all cores since the machine started, and the part of it that the hypervisor gave to others, in ticks
  /// (`/proc/stat`); nil where the system does not tell.
  package var cpu: (all: Int, stolen: Int)?
  /// Ports in TIME_WAIT (`/proc/net/sockstat`).
  package var timeWait: Int
  package var descriptors: Int

  /// As it is now; some tens of microseconds, and a millisecond where thousands of descriptors are open.
  package static var now: MachineFigures {
    MachineFigures(cpu: cpuTime, timeWait: portsInTimeWait, descriptors: openDescriptors)
  }

  package static var descriptorLimit: Int { Int(clamping: sys_file_limit()) }

  /// Ports that the system gives to connections that ask for none; 0 where it does not tell.
  package static var ports: Int {
    let ends = numbers(in: firstLine("/proc/sys/net/ipv4/ip_local_port_range"))
    return ends.count == 2 ? max(ends[1] - ends[0] + 1, 0) : 0
  }

  /// The share of the time between two looks that the hypervisor gave to others, per cent.
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

  /// Empty when there is none, or no such file.
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

package enum ProcessFigures {
  /// The most memory ever resident, bytes.
  package static var peakMemory: Int { Int(sys_peak_memory()) }

  /// Raises the limit of open files to what the system allows; returns the limit that then holds.
  @discardableResult
  package static func raiseFileLimit() -> Int { Int(clamping: sys_raise_file_limit()) }
}

package enum BuiltProgram {
  /// `0.1.0`, and in what `make dist` built the commit: `0.1.0 (commit 8dbba7f2c0a1)`.
  package static var version: String {
    let commit = String(cString: sys_build_commit())
    return ProductVersion.text + (commit.isEmpty ? "" : " (commit \(commit))")
  }
}
