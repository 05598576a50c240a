import MurphyModel

/// Counts equal occurrences of dishonesty and turns them into findings.
final class HonestyTally {
  private struct Entry {
    var finding: Finding
    var order: Int
  }

  let log: LimitLog
  let options: LimitJudgeOptions
  private var entries: [String: Entry] = [:]

  init(log: LimitLog, options: LimitJudgeOptions) {
    self.log = log
    self.options = options
  }

  /// - Parameters:
  ///   - kind: after `limit.`.
  ///   - discriminator: what equal occurrences share; the operation is added.
  ///   - message, details: evaluated for the first occurrence only.
  func add(
    _ kind: String, _ severity: Finding.Severity, at event: HonestyTrace.Event, discriminator: String = "",
    message: () -> String, details: () -> [String] = { [] }
  ) {
    let operation = log.operations[Int(event.operation)]
    let name = "\(kind)\u{1F}\(operation)\u{1F}\(discriminator)"
    if entries[name] != nil {
      entries[name]!.finding.count += 1
      entries[name]!.finding.firstSeen = min(entries[name]!.finding.firstSeen, event.sent)
      entries[name]!.finding.lastSeen = max(entries[name]!.finding.lastSeen, event.sent)
      return
    }
    let finding = Finding(
      kind: "limit." + kind, severity: severity, operation: operation, message: message(), details: details(),
      firstSeen: event.sent, lastSeen: event.sent, discriminator: discriminator, evidence: evidence(event))
    entries[name] = Entry(finding: finding, order: entries.count)
  }

  var findings: [Finding] { entries.values.sorted { $0.order < $1.order }.map(\.finding) }

  private func evidence(_ event: HonestyTrace.Event) -> Evidence {
    let observation = log.observations[event.observation]
    let operation = log.operations[Int(event.operation)]
    let identity = log.identities[Int(event.identity)]
    let summary = options.operations.first { $0.id == operation }
    let body = observation.body < 0 ? nil : log.bodies[Int(observation.body)]
    let exchange = Exchange(
      method: summary?.method ?? "GET", url: options.target + (summary?.path ?? ""),
      requestHeaders: identity.headers.map {
        ["authorization", "cookie"].contains($0.name) ? HeaderField($0.name, "…") : $0
      }, requestBody: nil, status: Int(observation.status),
      responseHeaders: observation.headers < 0 ? [] : log.headerSets[Int(observation.headers)], responseBody: body,
      responseSize: body?.utf8.count ?? 0, sent: event.sent, took: (event.settled - event.sent) * 1e6)
    let request = LimitScript(log: log, options: options).request(event.observation, output: .answer)
    return Evidence(exchange: exchange, curl: request.text)
  }
}
