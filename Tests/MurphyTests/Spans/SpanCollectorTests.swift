import MurphyEngine
import MurphyModel
import Testing

@testable import Murphy

@Suite struct SpanCollectorTests {
  /// The spans of a run's requests.
  private final class Requests {
    let runs = TracedRuns()
    let key: TraceKey
    var number: UInt64 = 0

    init(seed: UInt64 = 1) {
      key = TraceKey(seed: seed, salt: 2, start: 3)
      runs.add(key, operations: ["listLaws", "getLaw"])
    }

    /// The trace of the next request of an operation; `spans` have the request's id as the parent 0.
    func next(_ spans: [(id: UInt64, parent: UInt64, name: String, Range<UInt64>)], of operation: Int = 0)
      -> [ReceivedSpan]
    {
      number += 1
      let trace = key.context(
        TraceKey.Request(operation: operation, loop: 0, number: number), session: 0, sampledBelow: .max)
      return spans.map { id, parent, name, time in
        var span = ReceivedSpan()
        (span.traceHigh, span.traceLow, span.id, span.name) = (trace.high, trace.low, id, name)
        span.parent = parent == 0 ? trace.parent : parent
        (span.start, span.end) = (time.lowerBound + 1, time.upperBound + 1)
        return span
      }
    }
  }

  private static func export(_ spans: [ReceivedSpan]) -> SpanExport {
    var export = SpanExport()
    for span in spans { export.add(span) }
    return export
  }

  private static let usual: [(id: UInt64, parent: UInt64, name: String, Range<UInt64>)] = [
    (1, 0, "GET /laws", 0..<10_000_000), (2, 1, "SELECT", 1_000_000..<7_000_000),
    (3, 1, "encode", 6_000_000..<8_000_000),
  ]

  @Test func `the self time is the duration without the children`() {
    var random = RandomSource(seed: 5)
    for _ in 0..<5_000 {
      let spans = (1...UInt64(1 + random.next() % 8)).map { id in
        var span = ReceivedSpan()
        span.id = id
        // Also cycles, and parents that are missing.
        span.parent = random.next() % 10
        span.start = 1 + random.next() % 30
        span.end = span.start + random.next() % 20
        return span
      }
      // Nanosecond by nanosecond.
      let expected = spans.map { span in
        (span.start..<span.end).count { time in
          !spans.contains { $0.parent == span.id && $0.id != span.id && $0.start <= time && time < $0.end }
        }
      }
      #expect(SelfTimes.of(spans).map(Int.init) == expected)
    }
  }

  @Test func `spans of several exports are joined with their operation`() throws {
    let requests = Requests()
    let collector = SpanCollector(runs: requests.runs)
    for number in 0..<100 {
      let spans = requests.next(Self.usual)
      // The parts come first, in another export; an export that is sent again changes nothing.
      collector.receive(Self.export(Array(spans[1...])))
      collector.receive(Self.export([spans[0]]))
      if number % 10 == 0 { collector.receive(Self.export(spans)) }
    }
    for _ in 0..<7 { collector.receive(Self.export(requests.next([(9, 0, "GET /laws/:id", 0..<2_000_000)], of: 1))) }
    #expect(collector.joined == 107)
    let report = collector.report([("listLaws", 101), ("getLaw", 7), ("voteLaw", 3)])
    #expect(report.traces == 107 && report.incomplete == 0 && report.foreign == 0 && report.dropped == 0)
    #expect(report.operations.map(\.operation) == ["listLaws", "getLaw"])
    let list = report.operations[0]
    #expect(list.traces == 100 && list.requests == 101 && list.omitted == 0)
    #expect(list.spans.map(\.name) == ["SELECT", "GET /laws", "encode"])
    #expect(list.spans.map(\.perTrace) == [1, 1, 1])
    // 6, 3 and 2 of 11 ms, because two parts overlap for one millisecond.
    for (span, time) in zip(list.spans, [6.0, 3, 2]) {
      #expect(abs(span.mean.inMicroseconds / 1000 - time) < 0.01 && abs(span.p95.inMicroseconds / 1000 - time) < 0.02)
      #expect(abs(span.share - time / 11) < 1e-9 && abs(span.shareOfSlowest - time / 11) < 1e-9)
    }
  }

  @Test func `the slowest requests have their own cause`() throws {
    let requests = Requests()
    let collector = SpanCollector(runs: requests.runs)
    for number in 0..<1_000 {
      let wait: UInt64 = number % 15 == 0 ? 90_000_000 : 10_000
      collector.receive(
        Self.export(
          requests.next([
            (1, 0, "GET /laws", 0..<(10_000_000 + wait)), (2, 1, "SELECT", 0..<9_000_000),
            (3, 1, "lock", 9_000_000..<(9_000_000 + wait)),
          ])))
    }
    let spans = try #require(collector.report([("listLaws", 1_000)]).operations.first).spans
    #expect(spans.max { $0.share < $1.share }?.name == "SELECT")
    let slowest = try #require(spans.max { $0.shareOfSlowest < $1.shareOfSlowest })
    #expect(slowest.name == "lock" && slowest.shareOfSlowest > 0.7)
  }

  @Test func `late, foreign and incomplete spans are counted, and memory is bounded`() {
    let requests = Requests()
    let collector = SpanCollector(runs: requests.runs)
    let late = requests.next(Self.usual)
    collector.receive(Self.export([late[0]]), at: Instant(nanoseconds: 0))
    collector.receive(Self.export(requests.next([(1, 7, "orphan", 0..<5)])), at: Instant(nanoseconds: 1))
    collector.receive(Self.export(Requests(seed: 9).next(Self.usual)), at: Instant(nanoseconds: 20_000_000_000))
    collector.receive(Self.export([late[1]]), at: Instant(nanoseconds: 20_000_000_001))
    let first = collector.report([("listLaws", 2)])
    #expect(first.traces == 1 && first.incomplete == 1 && first.foreign == 3 && first.late == 1)

    // One trace with too many spans, and many traces that are never complete.
    let other = SpanCollector(runs: requests.runs)
    other.receive(Self.export(requests.next((1...12_000).map { (UInt64($0), 0, "loop", 0..<1) })))
    for _ in 0..<300 {
      let spans = (1...1_000).map { (id: UInt64($0), parent: UInt64(5), name: "part \($0)", 0..<UInt64(1)) }
      other.receive(Self.export(requests.next(spans)))
    }
    let second = other.report([("listLaws", 2)])
    #expect(second.dropped == 2_000 && second.traces == 1 && second.incomplete == 300)

    // A target that writes ids into names.
    let names = SpanCollector(runs: requests.runs)
    for number in 0..<1_000 { names.receive(Self.export(requests.next([(1, 0, "GET /laws/\(number)", 0..<10)]))) }
    let operation = names.report([("listLaws", 1_000)]).operations[0]
    #expect(operation.spans.count == 20 && operation.omitted == 181)
    #expect(operation.spans[0].name == "other spans" && abs(operation.spans[0].share - 0.8) < 1e-9)
  }
}
