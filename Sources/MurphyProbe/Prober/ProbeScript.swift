import MurphyContract
import MurphyHTTP
import MurphyJudge
import MurphyModel

/// Shell commands that reproduce the result of a probe: they use up the quota and send one more request.
package struct ProbeScript {
  let subject: ProbeSubject
  let url: String
  let mask: SecretMask
  let options: TransportOptions
  /// The number of the base client's requests after which it is rejected.
  let enough: Int
  /// The number of requests beyond the allowance that a volley was admitted.
  let excess: Int
  /// The declared window, or the measured one if none is declared; in seconds.
  let window: Double
  /// The shorter one of the two.
  let shorterWindow: Double

  package init(
    _ subject: ProbeSubject, _ limit: ProbedLimit, url: String, mask: SecretMask, options: TransportOptions
  ) {
    self.subject = subject
    self.url = url
    self.mask = mask
    self.options = options
    let found = limit.report.allowance.map { Int(saturating: $0.largest.rounded(.up)) }
    enough = min(max(found ?? 0, limit.policy?.allowance ?? 0, 1), 10_000) + 3
    excess = min(max(limit.report.raceExcess ?? 0, 0), 1_000)
    let declared = limit.policy?.window.inSeconds
    window = declared ?? limit.report.window?.value ?? 60
    shorterWindow = min(limit.report.window?.value ?? window, window)
  }

  /// Adds a script to those findings that have none.
  package func added(to findings: [Finding]) -> [Finding] {
    findings.map { finding in
      guard finding.evidence?.curl == nil else { return finding }
      var finding = finding
      var evidence = finding.evidence ?? Evidence()
      evidence.curl = script(finding.kind).text
      finding.evidence = evidence
      return finding
    }
  }

  /// Prints the status of every request.
  private func script(_ kind: FindingKind) -> CurlScript {
    let spent = [usingUp(with: request(.base))]
    let begin = CurlScript.Step.note("Start with a client that sent no request for \(text(2.1 * window)).")
    if let dimension = ProbeDimension.allCases.first(where: { $0.keyKind == kind || $0.bypassKind == kind }) {
      let others = (1...3).map { request(ProbeRequest(variant: ProbeVariant(dimension: dimension, number: $0)), $0) }
      return CurlScript(
        [begin, .note("The base client uses up its quota.")] + spent
          + [.note("Then requests with another \(dimension.rawValue)."), .requests(others)])
    }
    switch kind {
    case .limitRace:
      return CurlScript([begin, .together(request(.base), count: enough + excess)])
    case .limitTerms:
      return CurlScript(
        [begin, .note("Use up the quota. After the shorter window, send one more request.")] + spent
          + [.pause(shorterWindow * 1.05), .requests([request(.base)])])
    case .limitCountsRefused:
      return CurlScript(
        [begin, .note("Send rejected requests within the window, then one request after it.")] + spent
          + [.pause(window * 0.6)] + spent + [.pause(window * 0.6), .requests([request(.base)])])
    case .limitCountsFailed:
      let failing = usingUp(with: request(ProbeRequest(isInvalid: true)))
      return CurlScript([
        begin, .note("Send malformed requests, then a valid one."), failing, .requests([request(.base)]),
      ])
    default: return CurlScript([begin] + spent)
    }
  }

  /// As many requests as use up the quota: concurrent ones if sequential calls would be too slow for the window.
  private func usingUp(with request: CurlRequest) -> CurlScript.Step {
    Double(enough) > Self.callsPerSecond * window
      ? .together(request, count: enough) : .requests(Array(repeating: request, count: enough))
  }

  /// The minimum number of sequential curl calls of a shell in a second.
  private static let callsPerSecond = 20.0

  private func text(_ seconds: Double) -> String { Duration.text(seconds: seconds, places: 1) }

  /// With other names for its variables: another client's credentials are not the base client's.
  private static func renamed(_ word: ShellWord, _ number: Int) -> ShellWord {
    ShellWord(
      word.pieces.map { piece in
        guard case .variable(let variable) = piece else { return piece }
        return .variable(ShellVariable(variable.name, "other", String(number)))
      })
  }

  private func request(_ request: ProbeRequest, _ fresh: Int = 0) -> CurlRequest {
    let outgoing = subject.outgoing(request, fresh: fresh)
    let isOther = request.variant?.dimension == .token
    var curl = CurlRequest(
      method: outgoing.http.method, url: mask.word(url + outgoing.http.target),
      headers: outgoing.http.headers.map { field in
        let word = mask.word(field)
        return CurlRequest.Field(field.name, isOther ? Self.renamed(word, fresh) : word)
      },
      body: outgoing.http.body.map(mask.word), output: .status, authorities: options.authorities,
      checksCertificates: options.checksCertificates, sourceAddress: outgoing.sourceAddress ?? "")
    curl.certificate = options.certificate
    return curl
  }
}

/// One part of a probe, as it is announced before it begins.
public struct ProbePhase: Sendable, Hashable, Codable {
  /// The parts of a probe, in their order.
  package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
    case allowance, key, release, algorithm, closing
  }

  /// The part of the probe.
  package var name: Name
  /// The question of the part, and its cost.
  package var asks: String
}

extension Prober {
  /// The planned questions, in this order.
  package var phases: [ProbePhase] {
    let window = options.declared.map { "the declared \($0.window.text)" } ?? "an unknown window"
    var phases: [ProbePhase] = []
    func ask(_ name: ProbePhase.Name, _ question: String) { phases.append(ProbePhase(name: name, asks: question)) }
    ask(.allowance, "burst size: one burst until requests are rejected")
    if !options.dimensions.isEmpty {
      let names = options.dimensions.map(\.rawValue).joined(separator: ", ")
      ask(.key, "key: \(names); 8 requests each, within \(window)")
    }
    guard !options.isQuick else { return phases }
    if known == nil {
      ask(
        .release,
        "time until the next request is admitted: up to one window, limited only by --max-seconds")
    }
    let usual = known == nil ? "5 to 10" : "1 to 4"
    ask(
      .algorithm,
      "algorithm and window: usually \(usual) windows, at most \(Int(Self.mostWindows))")
    let closing = [
      options.triesRace ? "whether concurrent requests exceed the quota" : nil,
      options.triesInvalid ? "whether failed requests count" : nil,
    ].compactMap(\.self)
    if !closing.isEmpty {
      ask(.closing, "\(closing.joined(separator: ", ")): at most \(Int(Self.closingWindows)) windows")
    }
    return phases
  }

  /// The maximum number of windows for identifying the algorithm: one in a hundred probes needs more than 16
  /// (docs/rate-limits.md §3.3).
  static let mostWindows = 24.0
  /// The maximum number of windows for the closing questions, including those of the driver.
  static let closingWindows = 22.0

  /// The longest possible window so far, in seconds.
  private var longestWindow: Double? { known?.window ?? posterior?.window.high }

  /// No experiment begins that would end after this time; seconds on the prober's clock.
  var experimentsEnd: Double {
    let latest = min(options.maxSeconds, announcedEnd)
    return longestWindow.map { min(latest, keysEnd + Self.mostWindows * $0) } ?? latest
  }

  /// The latest end of the probe; seconds on the prober's clock. Never later than announced before.
  var end: Double {
    let latest = min(options.maxSeconds, announcedEnd)
    guard let window = longestWindow else { return latest }
    if options.isQuick { return min(latest, window) }
    let closing = options.triesRace || options.triesInvalid ? Self.closingWindows * window : 0
    let isClosing = if case .closing = stage { true } else { false }
    return min(latest, (isClosing ? experimentsDone : experimentsEnd) + closing + 1)
  }

  package var progress: ProbeProgress {
    let text: String
    let phase: ProbePhase.Name
    switch stage {
    case .exhaust: (text, phase) = ("using up the quota", .allowance)
    case .alone: (text, phase) = ("sending requests one by one", .allowance)
    case .keys(let questions): (text, phase) = (questions.text, .key)
    case .poll: (text, phase) = ("waiting for the first release", .release)
    case .refill: (text, phase) = ("measuring the release", .release)
    case .experiment: (text, phase) = ("identifying the algorithm", .algorithm)
    case .closing(let followUps): (text, phase) = (followUps.text, .closing)
    case .finished: (text, phase) = ("done", .closing)
    }
    return ProbeProgress(
      stage: text, phase: phase, requests: requests, elapsed: now, remaining: max(0, end - now))
  }
}

/// The progress of a probe, for a progress line.
public struct ProbeProgress: Sendable, Hashable {
  /// `using up the quota`, `waiting for the first release`, `identifying the algorithm` …
  package var stage: String
  /// The current part of the probe.
  package var phase: ProbePhase.Name
  /// The requests sent so far.
  package var requests: Int
  /// Seconds since the probe began.
  package var elapsed: Double
  /// The maximum remaining seconds; no step begins that would take longer.
  package var remaining: Double
}
