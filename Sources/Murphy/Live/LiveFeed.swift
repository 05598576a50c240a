import MurphyEngine
import MurphyModel
import MurphyReport

/// What is known of a run while it runs, for those who watch it.
///
/// The engine tells it once a second; drawings are made when somebody looks, on the thread of the one who does.
actor LiveFeed {
  /// What a watcher is told.
  enum Event: Sendable {
    /// A part of the page, which replaces the one before.
    case part(String)
    /// The finished report, a whole document.
    case report(String)
  }

  private let run: RunInfo
  private var points: [Int: TimelinePoint] = [:]
  private var latencySums: [Int: Double] = [:]
  private var snapshot = Snapshot()
  private var report: String?
  private var watchers: [Int: AsyncStream<Event>.Continuation] = [:]
  private var lastWatcher = 0

  init(_ run: RunInfo) { self.run = run }

  /// Enters what the engine told last.
  func update(_ snapshot: Snapshot) {
    // They come from tasks of their own, in any order.
    guard snapshot.elapsed >= self.snapshot.elapsed else { return }
    self.snapshot = snapshot
    for point in snapshot.details?.points ?? [] { points[point.second] = point }
    latencySums.merge(snapshot.details?.latencySums ?? [:]) { $1 }
    guard !watchers.isEmpty, report == nil else { return }
    let part = page.fragment
    for watcher in watchers.values { watcher.yield(.part(part)) }
  }

  /// The run is over: watchers get the report, and nothing after it.
  func finish(report: String) {
    self.report = report
    for watcher in watchers.values {
      watcher.yield(.report(report))
      watcher.finish()
    }
  }

  /// Ends all watching without a report.
  func close() {
    for watcher in watchers.values { watcher.finish() }
  }

  /// What happens from now on, with the state of now first. A watcher that is slow gets the newest part only.
  func watch() -> (number: Int, events: AsyncStream<Event>) {
    lastWatcher += 1
    let (events, watcher) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1))
    if let report {
      watcher.yield(.report(report))
      watcher.finish()
    } else {
      watcher.yield(.part(page.fragment))
      watchers[lastWatcher] = watcher
    }
    return (lastWatcher, events)
  }

  func leave(_ number: Int) { watchers[number] = nil }

  var isWatched: Bool { !watchers.isEmpty }

  /// The document: the finished report, or the page that grows into it.
  var document: String { report ?? page.text }

  var metrics: String {
    LiveMetrics(
      result, operations: snapshot.details?.operations ?? [], elapsed: snapshot.elapsed,
      latencySum: latencySums.values.reduce(0, +)
    ).text
  }

  private var page: LivePage { LivePage(result, elapsed: snapshot.elapsed, planned: snapshot.duration) }

  /// The run so far, as the report's parts take it.
  private var result: RunResult {
    var run = run
    run.duration = snapshot.elapsed
    let timeline = points.values.sorted { $0.second < $1.second }
    let findings = (snapshot.details?.findings ?? []).map { found in
      Finding(
        kind: found.kind, severity: found.severity, operation: found.operation, message: found.kind.rule.sentence,
        count: found.count, firstSeen: found.firstSeen, lastSeen: found.firstSeen)
    }
    return RunResult(
      verdict: .noData, reasons: [], run: run, operations: [], sessions: [], ledger: Ledger(), findings: findings,
      budgets: [], limits: [], state: [], coverage: Coverage(items: []), generator: .idle,
      timeline: timeline)
  }
}
