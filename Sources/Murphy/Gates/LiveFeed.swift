import MurphyEngine
import MurphyModel
import MurphyReport

/// The state of a running test, for its watchers.
///
/// The engine updates it once a second. Charts are generated only on request, on the thread of the watcher.
actor LiveFeed {
  /// A message to a watcher.
  enum Event: Sendable {
    /// A part of the page, which replaces the one before.
    case part(String)
    /// The finished report, a whole document.
    case report(String)
  }

  private let run: RunInfo
  private var points: [Int: TimelinePoint] = [:]
  private var latencySums: [Int: Duration] = [:]
  private var snapshot = Snapshot()
  private var report: String?
  private var watchers: [Int: AsyncStream<Event>.Continuation] = [:]
  private var lastWatcher = 0

  init(_ run: RunInfo) { self.run = run }

  /// Stores the latest snapshot of the engine.
  func update(_ snapshot: Snapshot) {
    // Snapshots come from different tasks, in any order.
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

  /// The events from now on, beginning with the current state. A slow watcher gets only the newest part.
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

  /// The document: the finished report, or the page that becomes the report.
  var document: String { report ?? page.text }

  var metrics: String {
    LiveMetrics(
      result, operations: snapshot.details?.operations ?? [], elapsed: snapshot.elapsed,
      latencySum: latencySums.values.reduce(.zero, +)
    ).text
  }

  private var page: LivePage { LivePage(result, elapsed: snapshot.elapsed, planned: snapshot.duration) }

  /// The run so far, as the report's parts need it.
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
