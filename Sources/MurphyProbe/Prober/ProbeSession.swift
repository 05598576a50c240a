import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario

/// One probe from its first request to its report, on an event loop of its own.
package struct ProbeSession: Sendable {
  /// The result of the probe.
  package struct Log: Sendable {
    /// The result of the prober.
    package var report: ProbeReport
    /// All requests of the probe, for the limit judge.
    package var log: LimitLog
    /// The dimension in which each observation of the log differed from the base client's request.
    package var variants: [ProbeDimension?]
    package var responses: ProbeResponses
    /// The HTTP requests of the log's observations, unmasked: `request` of an observation.
    package var requests: [HTTPRequest]

    package init(
      report: ProbeReport, log: LimitLog, variants: [ProbeDimension?], responses: ProbeResponses,
      requests: [HTTPRequest] = []
    ) {
      self.requests = requests
      self.report = report
      self.log = log
      self.variants = variants
      self.responses = responses
    }
  }

  /// The operation and its clients.
  package var subject: ProbeSubject
  /// The limits and the declared terms of the probe.
  package var options: ProbeOptions
  /// The URL of the target.
  package var url: String
  package var transport: TransportOptions
  /// The credential of the clients that murphy renews; nil for none.
  package var credential: SharedCredential?
  /// Ends the probe early.
  package var stop = StopSignal()
  package var progress: @Sendable (ProbeProgress) -> Void = { _ in }

  package init(
    subject: ProbeSubject, options: ProbeOptions, url: String, transport: TransportOptions = TransportOptions(),
    stop: StopSignal = StopSignal(), progress: @escaping @Sendable (ProbeProgress) -> Void = { _ in }
  ) {
    self.subject = subject
    self.options = options
    self.url = url
    self.transport = transport
    self.stop = stop
    self.progress = progress
  }

  /// - Throws: `GateError.unreachable` if no connection could be opened, `.usage` for an invalid URL.
  package func run() async throws(GateError) -> Log {
    _ = LibcurlVersion.prepare
    let origin: Origin
    let resolved: ResolvedHost
    let loop: EventLoop
    do throws(OriginError) { origin = try Origin(url) } catch { throw .usage(error.description) }
    if let mistake = LibcurlVersion.mistake(transport, to: origin) { throw .usage(mistake) }
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, transport)
    } catch {
      throw .unreachable(error.sentence)
    }
    do throws(SystemError) { loop = try EventLoop(number: 0) } catch { throw .usage(error.description) }
    let result = await loop.submit { await probe(loop, origin, resolved) }.value
    loop.shutdown()
    return try result.get()
  }

  /// Everything runs on the loop, including the prober's computation: it computes between volleys, with no request in
  /// flight.
  private func probe(
    _ loop: EventLoop, _ origin: Origin, _ resolved: ResolvedHost
  ) async -> Result<Log, GateError> {
    let client = Transport(loop: loop, origin: origin, options: transport, resolved: resolved)
    defer { client.close() }
    var prober = Prober(operation: subject.operation, options: options)
    let relay = ProgressRelay(progress)
    let end = Instant.now + options.time.nanoseconds
    var target = HTTPProbeTarget(
      subject, transport: client, stop: StopSignal(within: stop, until: end), time: options.time,
      unbroken: unbrokenWindow, credential: credential, tokenInKey: tokenInKey
    ) { relay.tick($0) }
    var report: ProbeReport?
    do {
      _ = try await prober.run(on: &target) { relay.show($0) }
      try await target.askWithinWindow()
      if var race = RaceQuestion(prober) {
        report = try await race.ask(of: &target) { relay.show($0) }
      }
      if var replicas = ReplicaQuestion(prober, report ?? prober.report) {
        report = try await replicas.ask(of: &target) { relay.show($0) }
      }
    } catch let interruption as ProbeInterruption {
      prober.interrupt(interruption.ending ?? (stop.isRequested ? .byUser : .timeUsedUp))
    } catch let error as TransportError {
      return .failure(.unreachable("the target \(url) cannot be reached: \(error.sentence)"))
    } catch {
      return .failure(.usage("the probe of \(subject.operation) failed: \(error)"))
    }
    return .success(conclude(report ?? prober.report, target))
  }

  /// True if the declared limit counts by the token that murphy renews; nil if the limit's key is unknown.
  private var tokenInKey: Bool? {
    guard let declared = options.declared, !declared.keyIsAssumed else { return nil }
    return declared.key.headerNames.contains { credential?.field.name.isSameHeader(as: $0) == true }
  }

  /// A fixed window and a sliding log free no quota before the window after their first admission has passed.
  private var unbrokenWindow: Duration? {
    guard !options.isQuick, !options.isWindowTooLong, let declared = options.declared,
      declared.algorithm == .fixed || declared.algorithm == .slidingLog,
      declared.counts.refused == .no
    else { return nil }
    return declared.window
  }

  private func conclude(_ report: ProbeReport, _ target: HTTPProbeTarget) -> Log {
    var report = report
    if report.countsFailed != nil, !target.responses.invalidWasRefused {
      // The result is unknown: the API accepted the malformed request, or the limiter rejected it.
      report.countsFailed = nil
      report.retract { if case .countsFailed = $0 { true } else { false } }
      report.say(.unfinished(.countsFailed, target.responses.invalidWasLimited ? .refused : .notServed))
    }
    return Log(
      report: report, log: target.log, variants: target.variants, responses: target.responses,
      requests: target.requests)
  }
}

/// Updates the time of the prober's last message during a wait. Used only on the loop.
private final class ProgressRelay {
  private let progress: (ProbeProgress) -> Void
  private var last: ProbeProgress?

  init(_ progress: @escaping (ProbeProgress) -> Void) { self.progress = progress }

  func show(_ now: ProbeProgress) {
    last = now
    progress(now)
  }

  func tick(_ elapsed: Duration) {
    guard var now = last else { return }
    now.remaining = max(.zero, now.remaining - (elapsed - now.elapsed))
    now.elapsed = elapsed
    progress(now)
  }
}
