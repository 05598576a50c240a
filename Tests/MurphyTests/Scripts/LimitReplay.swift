import Foundation
import Murphy
import MurphyJudge
import MurphyModel

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
    /// Of a call with one answer; names in lower case.
    var headers: [HeaderField]
  }

  /// In the order of their sends.
  let calls: [Call]
  /// Seconds that the script took beyond its pauses.
  let delay: Double

  var statuses: [Int] { calls.flatMap(\.statuses) }

  init(_ script: String) throws {
    let folder = URL(filePath: NSTemporaryDirectory() + "limit-replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorder = """
      #!/bin/bash
      file='\(folder.path)/call-'$BASHPID
      sent=$EPOCHREALTIME
      /usr/bin/curl -D "$file.head" "$@" > "$file.out" 2> /dev/null
      printf '%s\\n' "${sent/./}" "${EPOCHREALTIME/./}" > "$file"
      printf '%s\\n' "$@" > "$file.args"
      printf '%s\\n' "$(< "$file.out")"
      """
    let program = folder.appending(path: "curl").path
    try recorder.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let begin = ContinuousClock.now
    _ = try Replay.run(script, environment: ["PATH": folder.path + ":" + path])
    delay = (ContinuousClock.now - begin).inSeconds - Self.pauses(in: script)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("call-") && !$0.contains(".")
    }
    calls = try Self.calls(of: files.map { folder.appending(path: $0).path })
  }

  private static func calls(of files: [String]) throws -> [Call] {
    func lines(_ file: String) throws -> [String] {
      try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    }
    let read = try files.map { file in
      (
        moments: try lines(file).compactMap(Int64.init), arguments: try lines(file + ".args"),
        output: try String(contentsOfFile: file + ".out", encoding: .utf8), headers: try lines(file + ".head")
      )
    }
    let start = read.compactMap(\.moments.first).min() ?? 0
    return read.filter { $0.moments.count == 2 }.map { call in
      let device = call.arguments.first { $0.lowercased().hasPrefix("x-device-id: ") }?.dropFirst(13) ?? ""
      return Call(
        sent: Double(call.moments[0] - start) / 1e6, answered: Double(call.moments[1] - start) / 1e6,
        statuses: statuses(call.output), device: String(device), target: call.arguments.last ?? "", output: call.output,
        headers: fields(call.headers))
    }.sorted { $0.sent < $1.sent }
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

  private static func pauses(in script: String) -> Double {
    script.split(separator: "sleep ").dropFirst().compactMap { Double($0.prefix { $0.isNumber || $0 == "." }) }
      .reduce(0, +)
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
