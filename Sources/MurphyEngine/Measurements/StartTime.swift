import Foundation
import MurphyHTTP
import MurphyModel

/// The time at which all shards of a run begin, by the time of day.
package struct StartTime: Sendable, Hashable {
  /// Nanoseconds since 1970, UTC.
  package var nanoseconds: Nanoseconds
  /// The folder that all shards write to, whose clock defines the time; nil where UTC defines it.
  package var folder: String?

  package init(nanoseconds: Nanoseconds, folder: String? = nil) {
    self.nanoseconds = nanoseconds
    self.folder = folder
  }

  /// The correction for this machine's clock at that time, where it differs from the clock that defines the time; nil
  /// where they may be equal.
  ///
  /// - Parameter bounds: the bounds on this machine's clock. One that a time service controls is correct by UTC.
  package func correction(_ bounds: [ClockBound]) -> Duration? {
    let reference = folder == nil ? bounds.first { $0.reference != .folder } : bounds.first { $0.reference == .folder }
    return reference?.disagreement.map { .zero - $0 }
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
      guard parts.count == 2, !parts[1].isEmpty, case .success(let wait) = Quantity.duration(String(parts[0])),
        wait <= .seconds(86_400)
      else {
        throw ShardError(
          "--start-at \(text) is not valid. Use a time such as 2026-11-24T06:00:00Z, or +30s@FILE with a file that all "
            + "shards can access")
      }
      self = try Self.agreed(String(parts[1]), wait)
    } else {
      guard let moment = Self.moment(text) else {
        throw ShardError(
          "--start-at takes an RFC 3339 time from 1678 to 2261, such as 2026-11-24T06:00:00Z, or +30s@FILE; found "
            + "\"\(text)\""
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
  private static func agreed(_ path: String, _ wait: Duration) throws(ShardError) -> StartTime {
    let folder = (path as NSString).deletingLastPathComponent
    // By the folder's clock, which all shards can read, independently of their own clocks.
    let ahead = MachineClock.shared(folder.isEmpty ? "." : folder)?.disagreement ?? .zero
    let mine = StartTime(
      nanoseconds: WallClock.nanoseconds().adding((ahead + wait).nanoseconds))
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
      throw ShardError(
        "the start file \(path) contains \"\(text.shortened(to: 60))\", which is not a time. Remove the file")
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
        "--shard takes K/N (shard K of N), with K from 1 to N and N up to \(Self.most), found \"\(text)\"")
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

/// Launchers that start a program several times and pass each process its number by environment variables.
package struct Launcher: Sendable {
  package var name: String
  /// The number of the process.
  let rank: String
  let ranksFrom: Int
  /// The number of processes.
  let size: String
  /// Equal in all processes of a job.
  let job: [String]
  /// A variable without which the others do not refer to processes.
  var needs: String?

  /// In the order of the search: a launcher within a job of another launcher takes precedence.
  package static let all: [Launcher] = [
    // This variable is specific to murphy. GitHub has no variable of its own for a job of a matrix.
    Launcher(
      name: "GitHub", rank: "MURPHY_SHARD_INDEX", ranksFrom: 0, size: "MURPHY_SHARDS",
      job: ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"]),
    Launcher(
      name: "Open MPI", rank: "OMPI_COMM_WORLD_RANK", ranksFrom: 0, size: "OMPI_COMM_WORLD_SIZE",
      job: ["PMIX_NAMESPACE", "SLURM_JOB_ID"]),
    // A batch script also has the variables of the job, and is not one of its tasks.
    Launcher(
      name: "Slurm", rank: "SLURM_PROCID", ranksFrom: 0, size: "SLURM_NTASKS", job: ["SLURM_JOB_ID", "SLURM_STEP_ID"],
      needs: "SLURM_STEP_ID"),
    Launcher(name: "PMI", rank: "PMI_RANK", ranksFrom: 0, size: "PMI_SIZE", job: ["PMI_JOBID"]),
    Launcher(
      name: "Kubernetes", rank: "JOB_COMPLETION_INDEX", ranksFrom: 0, size: "MURPHY_SHARDS", job: ["MURPHY_JOB"]),
    Launcher(
      name: "GitLab", rank: "CI_NODE_INDEX", ranksFrom: 1, size: "CI_NODE_TOTAL",
      job: ["CI_PIPELINE_ID", "CI_JOB_STAGE"]),
  ]

  /// The shard in the environment; nil for a process that was not started by a launcher.
  ///
  /// - Throws: where a number is missing or invalid, so that a run would be repeated instead of divided.
  package static func shard(_ environment: [String: String]) throws(ShardError) -> ShardChoice? {
    for launcher in all {
      guard let rank = environment[launcher.rank], !rank.isEmpty,
        launcher.needs.map({ environment[$0] != nil }) ?? true
      else { continue }
      guard let size = environment[launcher.size], !size.isEmpty else {
        throw ShardError(
          "\(launcher.name) set the environment variable \(launcher.rank), but \(launcher.size) is not set. Set "
            + "\(launcher.size) to the number of processes, or use --shard K/N, or use --shard 1/1 for the whole run")
      }
      guard let number = Int(rank).map({ $0 - launcher.ranksFrom + 1 }), let of = Int(size), 1...ShardChoice.most ~= of,
        1...of ~= number
      else {
        throw ShardError(
          "\(launcher.rank) is \"\(rank)\" and \(launcher.size) is \"\(size)\", which is not a valid process number "
            + "(\(launcher.name) counts from \(launcher.ranksFrom)). Use --shard K/N, or use --shard 1/1 for the whole "
            + "run"
        )
      }
      let job = launcher.job.compactMap { environment[$0] }
      return ShardChoice(
        number: number, of: of, origin: "\(launcher.name), \(launcher.rank)=\(rank)",
        job: job.isEmpty ? nil : ([launcher.name] + job).joined(separator: " "))
    }
    return nil
  }
}
