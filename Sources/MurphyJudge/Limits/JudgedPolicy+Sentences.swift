import MurphyModel

/// All sentences of the limit judge about a proof.
extension JudgedPolicy {
  /// The proven violation, without the policy's name.
  func sentence(_ verdict: Verdict) -> String {
    let key = keys[verdict.key]
    let requests = verdict.proof.witness.map { key.trace.requests[$0] }
    guard let first = requests.first else {
      return "the responses to key \(key.key) do not match \(policy.text)."
    }
    let admitted = requests.count { $0.role == .certain }
    let end = requests.map(\.settled).max() ?? first.settled
    let span = "key \(key.key), from \(moment(first.sent)) to \(moment(end))"
    switch verdict.proof.kind {
    case .overAdmission:
      if end - first.sent < policy.window.inSeconds {
        return
          "admitted \(admitted.text) requests within \(text(end - first.sent)), more than \(policy.text) (key \(key.key), from \(moment(first.sent)) on)."
      }
      return
        "admitted \(admitted.text) requests that \(policy.text) cannot all admit, at whatever time in their flight it decided (\(span))."
    case .overThrottling:
      guard let refused = requests.last(where: { $0.role == .refused }) else {
        return "rejected requests that \(policy.text) cannot all reject (key \(key.key))."
      }
      let refusals = requests.count { $0.role == .refused }
      if refusals > 1 {
        return
          "rejected \(refusals.text) requests that \(policy.text) cannot all reject (\(span))."
      }
      let others = requests.count - 1
      let since = verdict.proof.isFresh ? " since \(keyOrigin(of: key))" : ""
      let most = others == 0 ? "no other request" : "at most \(counted(others, "other request"))"
      return
        "rejected a request with quota left: the limit is \(policy.text), and \(most) of the key could have counted\(since) (key \(key.key), at \(moment(refused.sent)))."
    case .contradictory:
      return
        "admitted and rejected requests in a way that \(policy.text) cannot (\(span))."
    }
  }

  /// The time before which a fresh key's value did not exist.
  private func keyOrigin(of key: KeyedTrace) -> String {
    key.isIssued ? "the target issued the key's value in this run" : "the key's value was generated in this run"
  }

  /// The range of policies that the proof refutes.
  func refutation(_ verdict: Verdict) -> String? {
    let clock = "is valid up to a server clock resolution of \(text(verdict.proof.tick))"
    guard let allowance = verdict.proof.refutedAllowance else { return "The proof " + clock + "." }
    switch verdict.proof.kind {
    case .overAdmission:
      let shown = verdict.proof.shownAllowance ?? allowance
      let requests = shown < allowance ? "All requests of the key refute" : "The requests shown refute"
      return "\(requests) every quota up to \(allowance) per \(policy.window.text)"
        + (shown < allowance ? ", the requests shown every quota up to \(shown)" : "") + "; the proof \(clock)."
    case .overThrottling:
      return
        "The requests shown refute every quota from \(allowance) per \(policy.window.text) on; the proof \(clock)."
    case .contradictory: return "The proof " + clock + "."
    }
  }

  /// The witness as lines; a long run of equal outcomes is shortened.
  func witnessLines(_ verdict: Verdict, most: Int = 12) -> [String] {
    let trace = keys[verdict.key].trace
    let requests = verdict.proof.witness.map { trace.requests[$0] }
    func line(_ request: LimitTrace.Request) -> String {
      let status = log.observations[request.id].status
      let answer = status == 0 ? "never answered" : "answered \(moment(request.settled)) with \(status)"
      return "sent \(moment(request.sent)), \(answer): \(request.decision.rawValue)"
    }
    if requests.count <= most { return requests.map(line) }
    return requests.prefix(most / 2).map(line) + ["… \(requests.count - most) more …"]
      + requests.suffix(most / 2).map(line)
  }

  /// A shell command that sends the witness again, with its pauses.
  ///
  /// Admitted requests alone prove over-admission, unless the proof depends on the key's earlier requests. An
  /// unexplained rejection depends on the state of the limiter. Then the script includes all requests of the key.
  ///
  /// - Parameter other: the policy by the key that the limiter counts by; nil for its declared one.
  func curl(_ verdict: Verdict, by other: JudgedPolicy? = nil) -> ShellScript? {
    let witness = verdict.proof.witness.map { keys[verdict.key].trace.requests[$0].id }
    let counting = other ?? self
    var script = LimitScript(log: log, options: options, key: counting.policy.key, window: policy.window.text)
    let isAlone = verdict.proof.kind == .overAdmission && verdict.proof.isComplete
    guard !isAlone, let first = witness.min(by: { log.observations[$0].sent < log.observations[$1].sent }),
      let end = witness.map({ log.observations[$0].sent }).max(),
      let key = other == nil ? keys[verdict.key] : counting.keys.first(where: { $0.observations.contains(first) })
    else {
      return script.replay(witness)
    }
    let window = policy.window.inSeconds
    let history = LimitScript.history(
      key.observations.filter { log.observations[$0].sent <= end }, of: first, log, window: window)
    let all = Set(history.suffix(Self.longestHistory)).union(witness)
    if other == nil { script.absent = absent(besides: verdict.key, until: end) }
    return script.replay(all.sorted { log.observations[$0].sent < log.observations[$1].sent })
  }

  /// Requests with other keys, or without one, within a window before a time: a limiter that also counts them needs
  /// them.
  private func absent(besides key: Int, until end: Instant) -> Int {
    let from = end + -Int64(saturating: policy.window.inSeconds * 1e9)
    let covered = log.operations.map { policy.covers($0) }
    func isNear(_ observation: LimitObservation) -> Bool { observation.sent >= from && observation.sent <= end }
    let all = log.observations.count { covered[Int($0.operation)] && isNear($0) }
    return all - keys[key].observations.count { isNear(log.observations[$0]) }
  }

  /// The maximum of further requests of a key that a script sends in addition to the witness.
  private static let longestHistory = 1_000

  func text(_ seconds: Double) -> String { Duration.saturating(seconds: (seconds * 1e4).rounded() / 1e4).text }

  /// A time of the run, to the millisecond.
  func moment(_ seconds: Double) -> String {
    let thousandths = Int(saturating: (seconds * 1000).rounded())
    let rest = String(thousandths.magnitude % 1000)
    return
      "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
  }
}
