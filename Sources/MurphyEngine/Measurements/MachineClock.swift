import Foundation
import MurphyHTTP
import MurphyModel

/// The bounds on a machine's time of day.
package enum MachineClock {
  /// The number of files that are written to a folder for its server's clock.
  private static let looks = 8
  /// A file system takes the time from a clock with steps of a few milliseconds; some store only hundredths.
  private static let grain = 0.01

  /// From a time service, and from the clock of a folder that all shards write to.
  package static func bounds(folder: String?) -> [ClockBound] {
    [chrony(), folder.flatMap(shared)].compactMap(\.self)
  }

  /// From the time that the server of a folder gives a written file.
  package static func shared(_ folder: String) -> ClockBound? {
    let path = "\(folder)/.murphy-clock-\(ProcessInfo.processInfo.hostName)-\(getpid())"
    defer { unlink(path) }
    var (low, high) = (-Double.infinity, Double.infinity)
    for _ in 0..<looks {
      let before = Double(WallClock.nanoseconds()) / 1e9
      guard let file = fopen(path, "w") else { return nil }
      fputs("\(before)\n", file)
      fclose(file)
      let after = Double(WallClock.nanoseconds()) / 1e9
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      let written = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
      low = max(low, written - after)
      high = min(high, written + grain - before)
    }
    return low <= high ? ClockBound(.folder, low: low, high: high) : nil
  }

  /// From `chronyc tracking`: half the root delay, the root dispersion, and the remaining correction (RFC 5905 §4).
  private static func chrony() -> ClockBound? {
    guard let program = ["/usr/bin/chronyc", "/usr/sbin/chronyc"].first(where: FileManager.default.isExecutableFile)
    else { return nil }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-c", "tracking"]
    (process.standardOutput, process.standardError, process.standardInput) = (output, FileHandle.nullDevice, nil)
    guard (try? process.run()) != nil else { return nil }
    let deadline = Date() + 2
    while process.isRunning, Date() < deadline { usleep(10_000) }
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return chrony(tracking: text)
  }

  /// - Parameter text: a line with commas: reference, its name, stratum, its time, correction, last and mean offset,
  ///   frequency, residual, skew, root delay, root dispersion, interval, leap status.
  package static func chrony(tracking text: String) -> ClockBound? {
    let fields = text.trimmingCharacters(in: .whitespacesAndNewlines).split(
      separator: ",", omittingEmptySubsequences: false)
    guard fields.count >= 14, fields[13] == "Normal", let correction = Double(fields[4]),
      let delay = Double(fields[10]),
      let dispersion = Double(fields[11])
    else { return nil }
    let bound = abs(correction) + delay / 2 + dispersion
    return ClockBound(.chrony, low: -bound, high: bound)
  }
}
