import Foundation
import MurphyHTTP
import MurphyModel

/// When all shards of a run begin, by the time of day.
package struct StartTime: Sendable, Hashable {
  /// Since 1970, UTC.
  package var nanoseconds: Int64
  /// The folder that all shards write to, by whose clock the moment is; nil where there is none, and it is by UTC.
  package var folder: String?

  package init(nanoseconds: Int64, folder: String? = nil) {
    self.nanoseconds = nanoseconds
    self.folder = folder
  }

  /// By how much this machine's clock, when that moment comes, must not show it, since the clock that it is by disagrees;
  /// seconds, nil where they may be equal.
  ///
  /// - Parameter bounds: what is known of this machine's clock. One that a time service keeps is right by UTC.
  package func correction(_ bounds: [ClockBound]) -> Double? {
    let reference = folder == nil ? bounds.first { $0.reference != .folder } : bounds.first { $0.reference == .folder }
    return reference?.disagreement.map { -$0 }
  }

  /// RFC 3339, with milliseconds.
  package var text: String {
    Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Reads what `--start-at` takes.
  ///
  ///     2026-11-24T06:00:00Z     RFC 3339
  ///     +30s@FILE                30 s after the first shard came, which writes the moment to FILE; the others read it
  ///
  /// - Throws: what is wrong with it, and what is expected.
  package init(_ text: String) throws(ShardError) {
    if text.hasPrefix("+") {
      let parts = text.dropFirst().split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty, case .success(let seconds) = Quantity.duration(String(parts[0])),
        0...86_400 ~= seconds
      else {
        throw ShardError(
          "--start-at \(text) does not say what all shards have in common: give a moment such as 2026-11-24T06:00:00Z, or "
            + "+30s@FILE with a file in a folder that all shards see")
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
    // A floating-point number of this size holds milliseconds, and no nanoseconds.
    let milliseconds = Int64(saturating: (seconds * 1e3).rounded())
    let (nanoseconds, isOver) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return isOver ? nil : nanoseconds
  }

  /// The moment in a file; the first to come writes it. The file gets its name with its content, so nobody reads half of it.
  private static func agreed(_ path: String, _ wait: Int64) throws(ShardError) -> StartTime {
    let folder = (path as NSString).deletingLastPathComponent
    // By the folder's clock, which all shards can see, whatever their own show.
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
      throw ShardError("the start file \(path) holds \"\(text.prefix(60))\", which is no moment: remove it")
    }
    return StartTime(nanoseconds: moment, folder: folder.isEmpty ? "." : folder)
  }
}

/// Which shard of a run a process makes, and what all shards must agree on.
package struct ShardChoice: Sendable, Hashable {
  /// From 1.
  package var number: Int
  package var of: Int
  /// Where that was read: `--shard`, or variables of the environment.
  package var origin: String
  /// The start of all shards.
  package var start: StartTime?
  /// Equal in all shards, and different from run to run: the number of a job.
  package var job: String?

  package init(number: Int, of: Int, origin: String, job: String? = nil) {
    self.number = number
    self.of = of
    self.origin = origin
    self.job = job
  }

  package static let most = 100_000

  /// Reads `K/N`.
  ///
  /// - Throws: what is wrong with it, and what is expected.
  package init(_ text: String) throws(ShardError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let of = parts[1], 1...Self.most ~= of, 1...of ~= number else {
      throw ShardError(
        "--shard takes K/N, shard K of N, with K from 1 to N and N up to \(Self.most), found \"\(text)\"")
    }
    self.init(number: number, of: of, origin: "--shard")
  }

  /// What all shards draw their seed or their salt from where none is given; nil where nothing is common to them alone.
  package func common(_ purpose: String) -> UInt64? {
    guard let text = start.map({ String($0.nanoseconds) }) ?? job else { return nil }
    // Below 2^53, so that every JSON reader gives it back exactly; never 0.
    return UInt64(Finding.fingerprint(of: [purpose, text]), radix: 16).map { $0 >> 11 | 1 }
  }
}
