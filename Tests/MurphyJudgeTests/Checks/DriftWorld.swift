import Foundation
import MurphyJudge
import MurphyModel
import Simulation

/// Runs of a noisy API whose operations are as slow, and fail as often, as a rule says.
struct DriftWorld {
  /// What a request may depend on.
  struct Moment {
    /// Seconds since the run's start.
    var second: Double
    /// Requests per second of all operations.
    var rate: Double
  }

  /// Requests per second, by second.
  var rates: [Double]
  /// Factor on the latency of the first operation.
  var slowdown: (Moment) -> Double = { _ in 1 }
  /// Share of errors of the first operation.
  var errors: (Moment) -> Double = { _ in 0.02 }

  /// Five operations: their shares of the requests, and how many times the machine's 20 ms they take.
  private static let operations: [(share: Double, factor: Double)] = [
    (0.4, 1), (0.3, 0.2), (0.15, 3), (0.1, 0.5), (0.05, 8),
  ]

  static func constant(_ rate: Double, seconds: Int) -> [Double] { Array(repeating: rate, count: seconds) }

  static func ramp(to rate: Double, seconds: Int, hold: Int) -> [Double] {
    (0..<seconds).map { rate * (Double($0) + 0.5) / Double(seconds) } + constant(rate, seconds: hold)
  }

  static func spike(_ low: Double, _ high: Double) -> [Double] {
    constant(low, seconds: 20) + constant(high, seconds: 20) + constant(low, seconds: 20)
  }

  static let steps = [10.0, 25, 50, 25, 10, 50].flatMap { constant($0, seconds: 12) }

  func record(seed: UInt64) -> RunRecord {
    var random = RandomSource(seed: seed)
    var machine = NoisyMachine(seconds: Double(rates.count) + 1, &random)
    var record = RunRecord.sample
    record.operations = Self.operations.indices.map {
      OperationRecord(operation: "operation\($0)", method: "GET", path: "/\($0)")
    }
    for (second, rate) in rates.enumerated() {
      var point = TimelinePoint(second: second)
      // Arrivals of a Poisson process within the second.
      var moment = random.exponential(mean: 1 / rate)
      while moment < 1 {
        point.planned += 1
        request(Moment(second: Double(second) + moment, rate: rate), &record, &machine, &random)
        moment += random.exponential(mean: 1 / rate)
      }
      record.timeline.append(point)
    }
    return record
  }

  private func request(
    _ moment: Moment, _ record: inout RunRecord, _ machine: inout NoisyMachine, _ random: inout RandomSource
  ) {
    var draw = random.unit()
    let index =
      Self.operations.firstIndex { operation in
        draw -= operation.share
        return draw < 0
      } ?? 0
    var milliseconds = machine.latency(at: moment.second, &random) * Self.operations[index].factor
    // One in seven takes the slow way, whatever the load.
    if index == 1, random.unit() < 0.15 { milliseconds *= 20 }
    if index == 0 { milliseconds *= slowdown(moment) }
    let isError = random.unit() < (index == 0 ? errors(moment) : 0.02)
    record.operations[index].course.countResponse(
      latency: isError ? nil : Int64(milliseconds * 1e6), isError: isError, second: Int(moment.second))
  }

  func drifts(seed: UInt64) -> [Finding] {
    DriftJudge.findings(in: record(seed: seed), countsUsers: false, besides: [])
  }
}
