import MurphyEngine
import MurphyJudge
import MurphyModel
import Synchronization

/// Joins exported spans with the requests of a run by their trace ids, and keeps figures for each operation.
///
/// Spans of one trace arrive in several exports. So murphy keeps the spans of a trace for some seconds, and then
/// evaluates the trace. The memory is bounded: too many open traces are evaluated earlier.
final class SpanCollector: Sendable {
  private struct OpenTrace {
    let low: UInt64
    let request: TracedRuns.Request
    let since: Instant
    var spans: [ReceivedSpan] = []
    var isJoined = false
  }

  private struct State {
    /// By the lower half of the trace id.
    var open: [UInt64: OpenTrace] = [:]
    /// The ids of the open traces in the order of their first spans; those before `first` are evaluated.
    var order: [UInt64] = []
    var first = 0
    var openSpans = 0
    /// Evaluated traces whose spans may still arrive.
    var recent: Set<UInt64> = []
    var recentOrder: [UInt64] = []
    var operations: [String: SpanTally] = [:]
    /// By the part of a comparison, and by operation.
    var parts: [TracedPart: [String: SpanSample]] = [:]
    var report = SpanReport()
  }

  /// Recognises the requests of the run.
  let runs: TracedRuns
  private let state = Mutex(State())

  /// Exporters of OpenTelemetry send their spans every five seconds.
  private static let patience: Int64 = 10_000_000_000
  private static let mostOpenSpans = 200_000
  private static let mostSpansOfTrace = 10_000
  private static let mostRecent = 100_000

  init(runs: TracedRuns) { self.runs = runs }

  func receive(_ export: SpanExport, at now: Instant = .now) {
    state.withLock { state in
      state.report.dropped += export.invalid
      for span in export.spans { receive(span, now, &state) }
      while let oldest = state.open[state.order[safely: state.first] ?? 0],
        now - oldest.since > Self.patience || state.openSpans > Self.mostOpenSpans
      {
        evaluate(oldest, &state)
      }
    }
  }

  private func receive(_ span: ReceivedSpan, _ now: Instant, _ state: inout State) {
    let low = span.traceLow
    if state.open[low] == nil {
      guard let request = runs.request(high: span.traceHigh, low: low) else { return state.report.foreign += 1 }
      guard !state.recent.contains(low) else { return state.report.late += 1 }
      state.open[low] = OpenTrace(low: low, request: request, since: now)
      state.order.append(low)
    }
    guard let count = state.open[low]?.spans.count, count < Self.mostSpansOfTrace else {
      return state.report.dropped += 1
    }
    if span.parent == state.open[low]?.request.span { state.open[low]?.isJoined = true }
    state.open[low]?.spans.append(span)
    state.openSpans += 1
  }

  /// Evaluates the oldest open trace.
  private func evaluate(_ trace: OpenTrace, _ state: inout State) {
    state.open[trace.low] = nil
    state.openSpans -= trace.spans.count
    state.first += 1
    if state.first > 10_000 {
      state.order.removeFirst(state.first)
      state.first = 0
    }
    state.recent.insert(trace.low)
    state.recentOrder.append(trace.low)
    if state.recentOrder.count > 2 * Self.mostRecent {
      for id in state.recentOrder.prefix(Self.mostRecent) { state.recent.remove(id) }
      state.recentOrder.removeFirst(Self.mostRecent)
    }
    if trace.request.part?.isWarmUp == true { return }
    guard trace.isJoined else { return state.report.incomplete += 1 }
    state.report.traces += 1
    guard let part = trace.request.part else {
      state.operations[trace.request.operation, default: SpanTally()].add(trace.spans, under: trace.request.span)
      return
    }
    state.parts[part, default: [:]][trace.request.operation, default: SpanSample()].add(trace.spans)
  }

  /// Counts an export that murphy could not read.
  func reject() { state.withLock { $0.report.rejected += 1 } }

  /// The number of traces with the first span of the target so far.
  var joined: Int {
    state.withLock { state in
      state.report.traces + state.open.values.count { $0.isJoined && $0.request.part?.isWarmUp != true }
    }
  }

  /// Evaluates all traces of a comparison.
  ///
  /// - Returns: by operation, the spans of both arms in each group.
  func groups(_ count: Int) -> [String: [(base: SpanSample, candidate: SpanSample)]] {
    state.withLock { state in
      while let oldest = state.open[state.order[safely: state.first] ?? 0] { evaluate(oldest, &state) }
      let operations = Set(state.parts.values.flatMap(\.keys))
      return Dictionary(
        uniqueKeysWithValues: operations.map { operation in
          let groups = (0..<count).map { group in
            let arms = [false, true].map {
              state.parts[TracedPart(group: group, isCandidate: $0, isWarmUp: false)]?[operation] ?? SpanSample()
            }
            return (base: arms[0], candidate: arms[1])
          }
          return (operation, groups)
        })
    }
  }

  /// Evaluates all traces.
  ///
  /// - Parameter requests: the operations in the contract's order, with the number of requests that had a response.
  func report(_ requests: [(operation: String, count: Int)]) -> SpanReport {
    state.withLock { state in
      while let oldest = state.open[state.order[safely: state.first] ?? 0] { evaluate(oldest, &state) }
      var report = state.report
      report.operations = requests.compactMap { operation, count in
        state.operations[operation]?.result(operation, requests: count)
      }
      return report
    }
  }
}

extension Array {
  /// Nil for an index outside of the array.
  fileprivate subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
