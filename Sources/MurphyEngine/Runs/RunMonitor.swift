import MurphyContract
import MurphyHTTP
import MurphyModel

/// Observes the load while it runs. It ends the load early if the target is silent, or a budget or the credentials are
/// lost. It also ends the load if the first responses show a wrong target.
struct RunMonitor {
  private let context: RunContext
  private var silence: SilenceDetector?
  /// Nil where no budget ends the load. A shard has too little of the run to end it.
  private let budgets: BudgetAbort?
  private let credentials: CredentialWatch
  private var end = EarlyEnd()

  /// The interval between two readings of the clock.
  private static let pulse: Duration = .milliseconds(20)
  /// The interval between two readings of the machine's free resources, nanoseconds.
  private static let look: Int64 = 500_000_000

  /// The reason of an early end of the load; empty where the load completed or was stopped.
  struct EarlyEnd {
    /// The silence in seconds that ended the load.
    var silent: Double?
    var lost: LostBudget?
    var credentials: LostCredentials?
    /// The reason why the first responses show that no load should be sent there.
    var opening: String?

    var isNatural: Bool { silent == nil && lost == nil && credentials == nil && opening == nil }
  }

  init(_ context: RunContext) {
    self.context = context
    silence = context.scenario.settings.abortAfter.map(SilenceDetector.init)
    budgets = context.options.shard.count == 1 ? BudgetAbort(context) : nil
    credentials = CredentialWatch(
      isRenewed: context.credentialInterest.isRenewed, isShared: context.credentialInterest.isShared)
  }

  /// Runs until the task is cancelled.
  ///
  /// - Returns: the reason of an early end of the load, and the resources of the machine that the run used.
  consuming func watch(
    since before: MachineFigures, _ progress: @Sendable (Snapshot) -> Void
  ) async -> (end: EarlyEnd, resources: GeneratorResources) {
    var shown = 0
    var resources = GeneratorResources(before)
    var looked = Instant.now
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.pulse)
      let now = Instant.now
      let elapsed = context.seconds(now)
      if now - looked > Self.look {
        resources.recordUsage(.now, since: before)
        looked = now
      }
      checkSilence(now)
      if Int(saturating: elapsed) > shown {
        shown = Int(saturating: elapsed)
        checkEachSecond(now)
        progress(context.snapshot(elapsed: elapsed))
      }
    }
    if end.isNatural, !context.cutting.isRequested {
      end.opening = context.board.told(\.opening).flatMap(context.fault)
    }
    if end.isNatural, !context.cutting.isRequested {
      end.credentials = context.board.told(\.credentials).flatMap { credentials.lost($0, isOver: true) }
    }
    resources.recordUsage(.now, since: before)
    return (end, resources)
  }

  private func isUnderWay(_ now: Instant) -> Bool { !context.cutting.isRequested && now < context.loadEnd }

  private mutating func checkSilence(_ now: Instant) {
    guard isUnderWay(now), let loops = context.board.told(\.vitals),
      silence?.isOver(loops, at: context.elapsed(now)) == true
    else { return }
    end.silent = context.seconds(now)
    context.aborting.request()
    context.cutting.request()
  }

  private mutating func checkEachSecond(_ now: Instant) {
    if isUnderWay(now), let budgets, let parts = context.board.told(\.standing) {
      end.lost = budgets.lost(parts.reduce(into: BudgetStanding()) { $0.merge($1) }, at: context.seconds(now))
      if end.lost != nil { context.cutting.request() }
    }
    if !context.cutting.isRequested, let openings = context.board.told(\.opening) {
      end.opening = context.fault(openings)
      if end.opening != nil { context.cutting.request() }
    }
    if isUnderWay(now), let standings = context.board.told(\.credentials) {
      end.credentials = credentials.lost(standings)
      if end.credentials != nil { context.cutting.request() }
    }
  }
}

extension RunContext {
  /// The reason why a load with these first responses should not continue; nil for none.
  fileprivate func fault(_ openings: [Opening]) -> String? {
    var anyone = transport
    (anyone.checksCertificates, anyone.connectTimeout) = (false, .seconds(2))
    return OpeningWatch(
      contract: contract, origin: origin, missing: { [credentials] in credentials[$0].missing },
      speaksTLS: { [origin] in (try? Reachability.check(origin, anyone, isEncrypted: true)) != nil }
    ).fault(openings).map { mask.masked("\(origin.text): \($0)") }
  }
}
