import Foundation
import MurphyModel

/// Applies every policy to the requests of an access log, in the order of the log.
///
/// The memory depends on the number of clients, which is limited, and not on the number of requests.
package struct LogTuner: Sendable {
  /// The state of one client.
  private struct Client {
    var requests = 0
    /// The current minute of the clock with its requests, and the busiest minute.
    var minute = -Double.infinity
    var count = 0
    var busiest = 0
    /// The time of its last request.
    var last = -Double.infinity
    /// One for each policy; empty if the client was quiet for so long that every counter is empty again.
    var limiters: [LimiterModel] = []
    /// The rejections by each policy, and the first ones; empty before the first rejection.
    var rejected: [Int32] = []
    var first: [Double] = []
  }

  private let policies: [LimitPolicy]
  private let asked: Int
  private let fresh: [LimiterModel]
  /// Seconds without a request after which every counter is empty.
  private let quiet: Double
  private let keyName: String
  private let mostKeys: Int
  private var keys: [String: Int] = [:]
  private var clients: [Client] = []
  private var active: Set<Int> = []
  private var now = -Double.infinity
  private var begin = Double.infinity
  private var nextSweep = -Double.infinity
  /// The requests whose time is more than a second before that of an earlier line.
  private var misplaced = 0
  /// The most seconds by which a time is before that of an earlier line.
  private var lag = 0.0
  package var log: LogTuneResult.Log

  /// The maximum number of clients that murphy keeps.
  package static let mostKeys = 100_000
  private static let clientsShown = 10
  /// The share of legitimate clients that a recommended policy may reject.
  private static let target = 0.001
  /// A client is abusive with this factor of the busiest minute of 95 % of all clients.
  private static let factor = 10

  /// - Parameters:
  ///   - asked: policies that the user wants to be evaluated.
  ///   - options: their search range is tested, too.
  package init(
    file: String, keyName: String, key: LimitKey, asked: [LimitPolicy], options: TunerOptions,
    mostKeys: Int = LogTuner.mostKeys
  ) {
    let tried = options.algorithms.flatMap { algorithm in
      options.windows.flatMap { window in
        options.allowances.map { allowance in
          LimitPolicy(
            name: "*", operations: [], algorithm: algorithm, allowance: allowance, window: .saturating(seconds: window),
            key: key)
        }
      }
    }
    policies = asked + tried
    self.asked = asked.count
    fresh = policies.map { LimiterModel($0.algorithm, allowance: $0.allowance, window: $0.window.inSeconds) }
    // A sliding counter also weighs the window before the current one.
    quiet = 2 * (policies.map(\.window.inSeconds).max() ?? 0)
    (self.keyName, self.mostKeys) = (keyName, mostKeys)
    log = LogTuneResult.Log(file: file)
  }

  /// Counts a request under every policy.
  package mutating func add(_ entry: AccessLog.Entry) {
    guard let key = entry.key else {
      log.unkeyed += 1
      return
    }
    if entry.time < now {
      log.late += 1
      misplaced += now - entry.time > 1 ? 1 : 0
      lag = max(lag, now - entry.time)
    }
    now = max(now, entry.time)
    begin = min(begin, entry.time)
    if entry.status == RefusalRule.tooManyRequests.status { log.rejected += 1 }
    guard let index = index(of: key) else {
      log.untracked += 1
      return
    }
    log.requests += 1
    sweep()
    active.insert(index)
    count(index)
    if clients[index].limiters.isEmpty { clients[index].limiters = fresh }
    for policy in policies.indices where !clients[index].limiters[policy].admits(at: now) {
      if clients[index].rejected.isEmpty {
        clients[index].rejected = [Int32](repeating: 0, count: policies.count)
        clients[index].first = [Double](repeating: 0, count: policies.count)
      }
      if clients[index].rejected[policy] == 0 { clients[index].first[policy] = now }
      clients[index].rejected[policy] += 1
    }
  }

  /// True if a line is too far from its place. All lines after a wrong time would count at that time.
  package var isScattered: Bool { lag > 60 }

  /// The reason why the log is not in the order of time; nil if it is, apart from small differences.
  package var disorder: String? {
    if isScattered {
      return
        "line \(log.lines.text) is \(Duration.saturating(seconds: lag).text(places: 0)) earlier than a line before it"
    }
    guard misplaced * 100 > log.requests + log.untracked else { return nil }
    return "the time of \(misplaced.text) of \(log.lines.text) lines is more than a second before the time of an "
      + "earlier line"
  }

  private mutating func index(of key: String) -> Int? {
    if let index = keys[key] { return index }
    guard clients.count < mostKeys else { return nil }
    keys[key] = clients.count
    clients.append(Client())
    return clients.count - 1
  }

  private mutating func count(_ index: Int) {
    let minute = (now / 60).rounded(.down)
    if clients[index].minute != minute { (clients[index].minute, clients[index].count) = (minute, 0) }
    clients[index].count += 1
    clients[index].busiest = max(clients[index].busiest, clients[index].count)
    clients[index].requests += 1
    clients[index].last = now
  }

  /// Removes the counters of clients that were quiet.
  private mutating func sweep() {
    guard now >= nextSweep else { return }
    nextSweep = now + max(quiet / 4, 1)
    for index in active where clients[index].last < now - quiet {
      clients[index].limiters = []
      active.remove(index)
    }
  }
}

extension LogTuner {
  /// - Parameter abuse: a client with more requests in a minute of the clock is abusive; nil for ten times the busiest
  ///   minute of 95 % of all clients.
  package func result(abuse: Int? = nil) -> LogTuneResult {
    var result = LogTuneResult(log: log)
    let busiest = clients.map(\.busiest).sorted()
    let usual = busiest.isEmpty ? 0 : busiest[min(busiest.count - 1, busiest.count * 95 / 100)]
    let threshold = abuse ?? max(Self.factor * usual, 60)
    let isAbusive = clients.map { $0.busiest > threshold }
    let abusive = isAbusive.count(where: \.self)
    result.log.abuse = threshold
    result.log.keys = clients.count
    result.log.abusiveKeys = abusive
    result.log.abusiveRequests = zip(clients, isAbusive).reduce(0) { $0 + ($1.1 ? $1.0.requests : 0) }
    if log.requests > 0 { (result.log.begin, result.log.end) = (Self.text(begin), Self.text(now)) }
    result.rows = policies.indices.map { row($0, isAbusive, result.log) }
    mark(&result)
    let names = keys.sorted { $0.value < $1.value }.map(\.key)
    for index in result.rows.indices
    where result.rows[index].isOnFront || index < asked || result.rows[index].isRecommended {
      result.rows[index].clients = rejected(index, names, isAbusive)
    }
    describe(&result)
    return result
  }

  private func row(_ policy: Int, _ isAbusive: [Bool], _ log: LogTuneResult.Log) -> LogTuneResult.Row {
    var (keys, legitimate, stopped) = (0, 0, 0)
    for (index, client) in clients.enumerated() where !client.rejected.isEmpty && client.rejected[policy] > 0 {
      if isAbusive[index] {
        stopped += Int(client.rejected[policy])
      } else {
        keys += 1
        legitimate += Int(client.rejected[policy])
      }
    }
    return LogTuneResult.Row(
      policy: policies[policy], legitimateKeys: keys,
      legitimateShare: Double(keys) / Double(max(clients.count - log.abusiveKeys, 1)), legitimateRequests: legitimate,
      stoppedRequests: stopped, stoppedShare: Double(stopped) / Double(max(log.abusiveRequests, 1)),
      isAsked: policy < asked)
  }

  /// Marks the front, and the recommendation: of the policies that reject few legitimate clients, the one that stops
  /// most abuse. Of equal ones, the one that gives an abuser the fewest requests.
  private func mark(_ result: inout LogTuneResult) {
    let order = result.rows.indices.sorted { left, right in
      let (left, right) = (result.rows[left], result.rows[right])
      return (left.legitimateKeys, right.stoppedRequests) < (right.legitimateKeys, left.stoppedRequests)
    }
    var most = 0
    for index in order where result.rows[index].stoppedRequests > most {
      most = result.rows[index].stoppedRequests
      result.rows[index].isOnFront = true
    }
    let allowed = result.rows.indices.filter { $0 >= asked && result.rows[$0].legitimateShare <= Self.target }
    func gain(_ index: Int) -> Double {
      let policy = policies[index]
      return AbuserGain.perMinute(policy.algorithm, allowance: policy.allowance, window: policy.window.inSeconds)
    }
    let best = allowed.min { left, right in
      (-result.rows[left].stoppedRequests, gain(left), result.rows[left].legitimateRequests)
        < (-result.rows[right].stoppedRequests, gain(right), result.rows[right].legitimateRequests)
    }
    // A policy that stops nothing shows only that the log has no abuse.
    if let best, result.rows[best].stoppedRequests > 0 { result.rows[best].isRecommended = true }
  }

  private func rejected(_ policy: Int, _ names: [String], _ isAbusive: [Bool]) -> [LogTuneResult.Client] {
    clients.indices.filter { !clients[$0].rejected.isEmpty && clients[$0].rejected[policy] > 0 }
      .sorted { (clients[$1].rejected[policy], $0) < (clients[$0].rejected[policy], $1) }
      .prefix(Self.clientsShown)
      .map { index in
        LogTuneResult.Client(
          key: SecretName.isSecret(keyName, names[index], in: .log) ? "client \(index + 1)" : names[index],
          requests: clients[index].requests, rejected: Int(clients[index].rejected[policy]),
          first: Self.text(clients[index].first[policy]), isAbusive: isAbusive[index])
      }
  }

  private func describe(_ result: inout LogTuneResult) {
    let log = result.log
    var sentences = [
      "\(counted(log.requests, "request")) of \(counted(log.keys, "client")) from \(log.begin) to \(log.end)."
    ]
    if log.requests == 0 { sentences = ["\(log.file) has no request that a policy counts."] }
    if let first = log.firstUnreadable {
      sentences.append("\(counted(log.unreadable, "line")) of \(log.lines.text) cannot be read; the first is \(first).")
    }
    if log.late > 0 {
      sentences.append(
        "\(counted(log.late, "request")) had an earlier time than the line before. Murphy counted each at the time of "
          + "that line.")
    }
    if log.unkeyed > 0 {
      sentences.append("Not counted: \(counted(log.unkeyed, "request")) without a value of \(keyName).")
    }
    if log.untracked > 0 {
      sentences.append(
        "Not counted: \(counted(log.untracked, "request")), because murphy counts only the first \(mostKeys.text) "
          + "clients of a log.")
    }
    if log.rejected > 0 {
      sentences.append("The API's current rate limit rejected \(counted(log.rejected, "request")) (status 429).")
    }
    sentences.append(
      "\(counted(log.abusiveKeys, "client")) sent more than \(counted(log.abuse, "request")) in a minute. Murphy counts "
        + "them as abuse, and all others as legitimate. Addresses that many users share can look like abuse.")
    if result.recommended == nil, log.requests > 0 {
      sentences.append(
        log.abusiveKeys == 0
          ? "The log contains no abuse, so murphy cannot recommend a policy."
          : "No policy stops abuse and rejects at most \(Figure.percent(Self.target, 2).text) of the legitimate clients."
      )
    }
    sentences += result.chosen.map(Self.sentence)
    result.sentences = sentences
  }

  private static func sentence(_ row: LogTuneResult.Row) -> String {
    let stopped = "\(counted(row.stoppedRequests, "request")) of abuse (\(Figure.percent(row.stoppedShare, 1).text))"
    let legitimate =
      "\(counted(row.legitimateRequests, "request")) of \(counted(row.legitimateKeys, "legitimate client")) "
      + "(\(Figure.percent(row.legitimateShare, 2).text))"
    return
      "\(row.isRecommended ? "Recommended: " : "")\(row.policy.text): would have rejected \(stopped) and \(legitimate)."
  }

  private static func text(_ time: Double) -> String {
    Date(timeIntervalSince1970: time).formatted(Date.ISO8601FormatStyle())
  }
}
