import MurphyContract
import MurphyHTTP
import MurphyJudge
import MurphyModel

/// The options of `murphy tune --log`.
package struct LogTuneOptions: Sendable {
  /// The path of the log; it may be compressed with gzip.
  package var file: String
  package var format = AccessLog()
  /// Policies to evaluate.
  package var questions: [WhatIf] = []
  /// The limiter that gets the policy; nil for no policy to deploy.
  package var limiter: TuneOptions.Limiter?
  /// The limit key whose values the log has; nil for the one that the name of its field says.
  package var key: LimitKey?
  /// A client with more requests in a minute is abusive; nil for ten times the busiest minute of 95 % of all clients.
  package var abuse: Int?
  /// The counted operations, with the path of the target before their paths; empty for all requests.
  package var operations: [Contract.Operation] = []
  package var base = ""

  package init(file: String) { self.file = file }

  /// Reads the log once, line by line.
  ///
  /// - Throws: `GateError.usage` if the file cannot be read, or no line of it.
  package func tune() throws(GateError) -> LogTuneResult {
    var tuning = TunerOptions(windows: [10, 60, 300], allowances: [5, 10, 20, 30, 60, 100, 200, 300, 600, 1000])
    if let limiter {
      tuning.algorithms = limiter.algorithms
      tuning.windows = limiter.windows ?? tuning.windows
    }
    let shown = URLCredentials.masked(file)
    let key = try keyOfLog()
    let asked = questions.map { question in
      var policy = question.policy
      policy.key = key
      return policy
    }
    var tuner = LogTuner(file: shown, keyName: format.keyName, key: key, asked: asked, options: tuning)
    var last: [UInt8] = []
    do throws(GzipLineReader.Failure) {
      var lines = try GzipLineReader(file == "-" ? "/dev/stdin" : file, acceptsPlain: true)
      while !tuner.isScattered, let line = try lines.line(longest: 1 << 20) {
        read(line, into: &tuner)
        last = line
      }
    } catch {
      switch error {
      case .unreadable(let error): throw .usage("--log: \(error).")
      case .damaged: throw .usage("--log: \(shown) is incomplete or damaged: it is not a complete gzip file.")
      case .tooLong: throw .usage("--log: \(shown) has a line that is longer than 1 MB, after line \(tuner.log.lines).")
      }
    }
    if let first = tuner.log.firstUnreadable, 2 * tuner.log.unreadable > tuner.log.lines {
      let read = tuner.log.lines - tuner.log.unreadable
      throw .usage(
        """
        --log: murphy can read only \(read) of \(counted(tuner.log.lines, "line")) of \(shown). The first unreadable line \
        is \(first). Name the fields of JSON lines with --log-fields.
        """)
    }
    if tuner.log.requests == 0 {
      throw .usage(
        """
        --log: \(shown) has no request that a policy counts (\(counted(tuner.log.lines, "line")), \
        \(counted(tuner.log.unkeyed, "request")) without a value of \(format.keyName)). Check --log-fields, --limit and \
        --operation.
        """)
    }
    if let disorder = tuner.disorder {
      throw .usage(
        """
        --log: \(shown) is not sorted by time: \(disorder). To sort the log, run: \(format.sorting(shown, line: last)) \
        > sorted.log
        """
      )
    }
    var result = tuner.result(abuse: abuse)
    if limiter != nil {
      guard var policy = result.rows.first(where: \.isAsked)?.policy ?? result.recommended?.policy else {
        throw .usage("murphy cannot recommend a policy from \(shown). Name a policy with --what-if.")
      }
      policy.operations = operations.map(\.id)
      policy.name = operations.isEmpty ? "*" : policy.operations.joined(separator: "_")
      result.policy = policy
    }
    return result
  }

  /// - Throws: `GateError.usage` for a policy with another key, and for a policy to deploy whose key is not known.
  private func keyOfLog() throws(GateError) -> LimitKey {
    guard limiter == nil || key != nil || format.knownKey != nil else {
      throw .usage(
        """
        --emit requires --limit-key, because murphy does not know which part of a request the log field \
        "\(format.keyName)" contains.
        """
      )
    }
    let key = key ?? format.knownKey ?? LimitKey([.header(format.keyName)])
    if let other = questions.first(where: { $0.namesKey && $0.policy.key != key }) {
      throw .usage(
        """
        --what-if: the limit key of the policy is \(other.policy.key.text), but the log contains the values of \
        \(key.text). Name the log field with --log-fields key=NAME, or omit key= in --what-if.
        """
      )
    }
    return key
  }

  private func read(_ line: [UInt8], into tuner: inout LogTuner) {
    tuner.log.lines += 1
    guard line.contains(where: { $0 > 0x20 }) else { return }
    do throws(AccessLog.Mistake) {
      let entry = try format.entry(line)
      if operations.isEmpty || operations.contains(where: { isCall(entry, of: $0) }) { tuner.add(entry) }
    } catch {
      tuner.log.unreadable += 1
      if tuner.log.firstUnreadable == nil { tuner.log.firstUnreadable = "line \(tuner.log.lines): \(error)" }
    }
  }

  private func isCall(_ entry: AccessLog.Entry, of operation: Contract.Operation) -> Bool {
    LimitPolicy.countedMethods(of: operation.method).contains(entry.method) && entry.path.hasPrefix(base)
      && operation.isPath(entry.path.dropFirst(base.count))
  }
}

extension Gate {
  /// The operations of a log that a limit counts: those with the given names, or of the given limit.
  ///
  /// - Throws: `GateError.usage` for unknown names.
  package func select(
    _ operations: [String], limit: String?, at target: Target?, in options: inout LogTuneOptions
  ) throws(GateError) {
    var names = operations
    if let limit {
      let policies = scenario.expectations.limits.map(\.policy) + LimitPolicy.documented(in: contract)
      guard let policy = policies.first(where: { $0.name == limit }) else {
        throw .usage("no rate limit has the name \"\(limit)\".\(didYouMean(limit, among: policies.map(\.name)))")
      }
      names += policy.operations
    }
    for name in names {
      guard let index = contract.index(of: name) else {
        let near = didYouMean(name, among: contract.operations.map(\.id))
        throw .usage("no operation of \(contract.file) has the operationId \"\(name)\".\(near)")
      }
      options.operations.append(contract.operations[index])
    }
    options.base = basePath(target)
  }

  /// The path before those of all operations; empty for none.
  func basePath(_ target: Target?) -> String {
    guard case .url(let url)? = try? effectiveTarget(target) else { return "" }
    return (try? Origin(url))?.basePath ?? ""
  }
}
