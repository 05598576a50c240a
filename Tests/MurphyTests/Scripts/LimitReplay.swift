import Foundation
import Murphy
import MurphyJudge
import MurphyModel
import TestSupport

/// A pasted script with a `curl` that notes when each request was made and how it was answered.
struct LimitReplay {
  struct Call {
    /// Seconds since the first.
    var sent: Double
    var answered: Double
    var statuses: [Int]
    var device: String
    var target: String
    var output: String
    /// Of a call with one response; names in lower case.
    var headers: [HeaderField]
  }

  /// In the order of their sends.
  let calls: [Call]
  var statuses: [Int] { calls.flatMap(\.statuses) }

  /// - Parameter clock: the time that passes in the script.
  init(_ script: String, in clock: ScriptClock) async throws {
    let files = clock.folder.path + "/call-"
    try clock.add(
      "curl",
      """
      file='\(files)'$BASHPID
      \(clock.noting("of $PPID"))
      \(clock.noting("sent $BASHPID"))
      \(try Tool.curl.path) -D "$file.head" "$@" > "$file.out" 2> /dev/null
      \(clock.noting("answered $BASHPID"))
      printf '%s\\n' "$@" > "$file.args"
      printf '%s\\n' "$(< "$file.out")"
      """)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    _ = try await Replay.run(script, environment: ["PATH": clock.folder.path + ":" + path])
    let moments = Dictionary(try clock.moments().map { ($0.name, $0.seconds) }) { first, _ in first }
    calls = try moments.compactMap { name, sent in
      guard name.hasPrefix("sent "), let answered = moments["answered " + name.dropFirst(5)] else { return nil }
      return try Self.call(files + name.dropFirst(5), sent: sent, answered: answered)
    }.sorted { $0.sent < $1.sent }
  }

  private static func call(_ file: String, sent: Double, answered: Double) throws -> Call {
    func lines(_ file: String) throws -> [String] {
      try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    }
    let arguments = try lines(file + ".args")
    let device = arguments.first { $0.lowercased().hasPrefix("x-device-id: ") }?.dropFirst(13) ?? ""
    let output = try String(contentsOfFile: file + ".out", encoding: .utf8)
    return Call(
      sent: sent, answered: answered, statuses: statuses(output), device: String(device),
      target: arguments.last ?? "", output: output, headers: fields(try lines(file + ".head")))
  }

  private static func fields(_ lines: [String]) -> [HeaderField] {
    lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      return HeaderField(line[..<colon].lowercased(), value)
    }
  }

  private static func statuses(_ output: String) -> [Int] {
    let lines = output.split(whereSeparator: \.isNewline)
    if let first = lines.first, first.hasPrefix("HTTP/") { return [Int(first.split(separator: " ")[1]) ?? 0] }
    return lines.compactMap { Int($0) }
  }

  /// What the limit judge says of the requests that the script made.
  func verdict(under policy: LimitPolicy) -> LimitRow.Verdict? { judged(under: policy).rows.first?.verdict }

  /// The kinds of its findings.
  func kinds(under policy: LimitPolicy) -> Set<FindingKind> { Set(judged(under: policy).findings.map(\.kind)) }

  private func judged(under policy: LimitPolicy) -> (rows: [LimitRow], findings: [Finding]) {
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = policy.operations
    var devices: [String: UInt32] = [:]
    for call in calls {
      if devices[call.device] == nil {
        devices[call.device] = UInt32(log.identities.count)
        log.identities.append(
          ClientIdentity(sourceAddress: "", headers: [HeaderField("x-device-id", call.device)]))
      }
      if call.statuses.count == 1 { log.headerSets.append(call.headers) }
      for status in call.statuses {
        log.observations.append(
          LimitObservation(
            operation: 0, identity: devices[call.device]!, sent: Instant(nanoseconds: Int64(call.sent * 1e9)),
            answered: Instant(nanoseconds: Int64(call.answered * 1e9)), status: UInt16(clamping: status),
            headers: call.statuses.count == 1 ? Int32(log.headerSets.count - 1) : -1))
      }
    }
    var options = LimitJudgeOptions()
    options.startsQuiet = true
    options.sharesClock = true
    options.tick = .milliseconds(1)
    return LimitJudge.judge(
      log: log, policies: [policy], options: options)
  }
}
