import Foundation
import MurphyHTTP
import MurphyModel

/// The time at which all shards of a run begin, by the time of day.
package struct StartTime: Sendable, Hashable {
  /// Nanoseconds since 1970, UTC.
  package var nanoseconds: Int64
  /// The folder that all shards write to, whose clock defines the time; nil where UTC defines it.
  package var folder: String?

  package init(nanoseconds: Int64, folder: String? = nil) {
    self.nanoseconds = nanoseconds
    self.folder = folder
  }

  /// The correction for this machine's clock at that time, where it differs from the clock that defines the time. In
  /// seconds; nil where they may be equal.
  ///
  /// - Parameter bounds: the bounds on this machine's clock. One that a time service controls is correct by UTC.
  package func correction(_ bounds: [ClockBound]) -> Double? {
    let reference = folder == nil ? bounds.first { $0.reference != .folder } : bounds.first { $0.reference == .folder }
    return reference?.disagreement.map { -$0 }
  }

  /// RFC 3339, with milliseconds.
  package var text: String {
    Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Reads the value of `--start-at`.
  ///
  ///     2026-11-24T06:00:00Z     RFC 3339
  ///     +30s@FILE                30 s after the first shard started, which writes the time to FILE; the others read it
  ///
  /// - Throws: the problem with it, and the expected form.
  package init(_ text: String) throws(ShardError) {
    if text.hasPrefix("+") {
      let parts = text.dropFirst().split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty, case .success(let seconds) = Quantity.duration(String(parts[0])),
        0...86_400 ~= seconds
      else {
        throw ShardError(
          "--start-at \(text) is not a time that all shards share: give a time such as 2026-11-24T06:00:00Z, or "
            + "+30s@FILE with a file in a folder that all shards can read")
      }
      self = try Self.agreed(String(parts[1]), Int64(saturating: seconds * 1e9))
    } else {
      guard let moment = Self.moment(text) else {
        throw ShardError(
          "--start-at takes a time from 1678 to 2261 as RFC 3339 writes it, such as 2026-11-24T06:00:00Z, or +30s@FILE; "
            + "found \"\(text)\""
        )
      }
      self.init(nanoseconds: moment)
    }
  }

  private static func moment(_ text: String) -> Int64? {
    guard text.hasSuffix("Z") || text.dropFirst(10).contains(where: { $0 == "+" || $0 == "-" }) else { return nil }
    guard let seconds = HTTPDate.seconds(iso: text) else { return nil }
    // A floating-point number of this size is exact to milliseconds, not to nanoseconds.
    let milliseconds = Int64(saturating: (seconds * 1e3).rounded())
    let (nanoseconds, isOver) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return isOver ? nil : nanoseconds
  }

  /// The time in a file; the first shard writes it. The file gets its name together with its content, so a reader never
  /// sees a half-written file.
  private static func agreed(_ path: String, _ wait: Int64) throws(ShardError) -> StartTime {
    let folder = (path as NSString).deletingLastPathComponent
    // By the folder's clock, which all shards can read, independently of their own clocks.
    let ahead = MachineClock.shared(folder.isEmpty ? "." : folder)?.disagreement ?? 0
    let mine = StartTime(nanoseconds: WallClock.nanoseconds().adding(Int64(saturating: ahead * 1e9)).adding(wait))
    let temporary = "\(path).\(UUID().uuidString)"
    do {
      try Data((mine.text + "\n").utf8).write(to: URL(fileURLWithPath: temporary))
    } catch {
      throw ShardError("cannot write the start file \(path): \(error.localizedDescription)")
    }
    let isFirst = link(temporary, path) == 0
    let code = errno
    unlink(temporary)
    guard isFirst || code == EEXIST else {
      throw ShardError("cannot write the start file \(path): \(String(cString: strerror(code)))")
    }
    let bytes: [UInt8]
    do { bytes = try BoundedFile.read(path, limit: ByteCount(1024)) } catch {
      throw ShardError("cannot read the start file \(path): \(error)")
    }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let moment = moment(text) else {
      throw ShardError("the start file \(path) holds \"\(text.prefix(60))\", which is not a time: remove it")
    }
    return StartTime(nanoseconds: moment, folder: folder.isEmpty ? "." : folder)
  }
}

/// The shard of a run that a process executes, and the values that must be equal in all shards.
package struct ShardChoice: Sendable, Hashable {
  /// From 1.
  package var number: Int
  /// The number of shards of the run.
  package var of: Int
  /// The source of the number: `--shard`, or variables of the environment.
  package var origin: String
  /// The start of all shards.
  package var start: StartTime?
  /// Equal in all shards, and different for each run: the number of a job.
  package var job: String?

  package init(number: Int, of: Int, origin: String, job: String? = nil) {
    self.number = number
    self.of = of
    self.origin = origin
    self.job = job
  }

  /// The maximum number of shards.
  package static let most = 100_000

  /// Reads `K/N`.
  ///
  /// - Throws: the problem with it, and the expected form.
  package init(_ text: String) throws(ShardError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let of = parts[1], 1...Self.most ~= of, 1...of ~= number else {
      throw ShardError(
        "--shard takes K/N, shard K of N, with K from 1 to N and N up to \(Self.most), found \"\(text)\"")
    }
    self.init(number: number, of: of, origin: "--shard")
  }

  /// The value from which all shards derive their seed or their salt where none is given; nil where they have no common
  /// value.
  package func common(_ purpose: String) -> UInt64? {
    guard let text = start.map({ String($0.nanoseconds) }) ?? job else { return nil }
    // Below 2^53, so that every JSON reader returns it exactly; never 0.
    return UInt64(Finding.fingerprint(of: [purpose, text]), radix: 16).map { $0 >> 11 | 1 }
  }
}
