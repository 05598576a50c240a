import Foundation
import MurphyModel
import Synchronization

/// An HTTP/1.1 server on a free port of the loopback that records the true values. They are its delays, rejections,
/// schema violations and freezes.
///
/// One thread with real sockets. It shares no code with murphy's client, so that an error in one cannot hide in the
/// other. The caller stops it.
package final class CalibrationServer: Sendable {
  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: CInt
  private let shared = Mutex(Shared())

  private struct Shared {
    var log = CalibrationLog()
    var freeze: Duration?
    var isStopped = false
  }

  /// - Parameters:
  ///   - paths: the behaviour for each path; all others get 404.
  ///   - seed: of the delays.
  /// - Throws: a `CalibrationServerError` if the system provides no socket.
  package init(_ paths: [String: CalibrationBehaviour], seed: UInt64) throws(CalibrationServerError) {
    (listener, port) = try CalibrationSocket.listen()
    let listener = listener
    Thread.detachNewThread { [self] in
      var loop = CalibrationLoop(listener: listener, paths: paths, seed: seed)
      while loop.turn(self) {}
    }
  }

  /// Without a path.
  package var url: String { "http://127.0.0.1:\(port)" }
  /// A copy of what it recorded so far. Callable from any thread.
  package var log: CalibrationLog { shared.withLock { $0.log } }

  /// Freezes at the next event: it reads, responses and accepts nothing. The system's queues fill.
  package func freeze(for length: Duration) { shared.withLock { $0.freeze = length } }

  /// Ends the thread and closes all connections, within 50 ms.
  package func stop() { shared.withLock { $0.isStopped = true } }

  /// For the server's own thread.
  var isStopped: Bool { shared.withLock { $0.isStopped } }
  func updateLog(_ change: (inout CalibrationLog) -> Void) { shared.withLock { change(&$0.log) } }
  func takeFreeze() -> Duration? { shared.withLock { $0.freeze.take() } }
}

/// The system provided no socket for the calibration server.
package struct CalibrationServerError: Error, CustomStringConvertible {
  /// The failed system call and its reason.
  package let description: String
}

/// The behaviour of the calibration server for one path.
package enum CalibrationBehaviour: Sendable {
  /// Responds after a separate delay for each request.
  case delay(DelayDistribution)
  /// Admits this many requests of a key (the header `X-Key`) in a window that begins with the key's first request. All
  /// others get 429 with a correct `Retry-After`.
  case limit(admitted: Int, window: Duration)
  /// Responds immediately; one response in this many violates the schema.
  case breakSchema(oneIn: Int)
}

/// The actions of the calibration server, by its own clock (`CLOCK_MONOTONIC`, which murphy also reads).
package struct CalibrationLog: Sendable {
  /// By path: the time from reading a request to writing its response, in nanoseconds, in the order of the responses.
  package var imposed: [String: [Int64]] = [:]
  /// The times of the server's freezes.
  package var freezes: [ClosedRange<Int64>] = []
  /// Responses that violated the schema.
  package var broken = 0
  /// Requests that a limit admitted.
  package var admitted = 0
  /// Requests that the limit rejected.
  package var refused = 0

  package init() {}

  /// The remaining freeze for a request at `instant` (nanoseconds): until the freeze's end, or 0.
  package func frozen(at instant: Int64) -> Int64 {
    freezes.first { $0.contains(instant) }.map { $0.upperBound - instant } ?? 0
  }
}

/// The delay of the calibration server before it responds. Each random delay is imposed on one request and recorded.
package enum DelayDistribution: Sendable, Hashable {
  /// Always the same.
  case constant(Duration)
  /// `fast`, and in a `share` of all requests `slow`: like cache misses.
  case bimodal(fast: Duration, slow: Duration, share: Double)
  /// exp(ln median + deviation · Z) with Z standard normal: most services under light load.
  case logNormal(median: Duration, deviation: Double)
  /// Pareto with the shape α, cut at `longest`: P(delay > x) = (shortest / x)^α. With α below 2 it has no variance.
  case heavyTail(shortest: Duration, shape: Double, longest: Duration)

  /// In words, with its parameters.
  package var text: String {
    switch self {
    case .constant(let delay): "constant \(delay.text)"
    case .bimodal(let fast, let slow, let share): "\(fast.text), and \(slow.text) in \(Figure.percent(share, 2).text)"
    case .logNormal(let median, let deviation): "log-normal, median \(median.text), σ \(deviation)"
    case .heavyTail(let shortest, let shape, let longest):
      "Pareto from \(shortest.text), α \(shape), at most \(longest.text)"
    }
  }

  /// The delay of the next request, in nanoseconds.
  package func draw(_ random: inout RandomSource) -> Int64 {
    switch self {
    case .constant(let delay): return delay.nanoseconds
    case .bimodal(let fast, let slow, let share): return (random.unit() < share ? slow : fast).nanoseconds
    case .logNormal(let median, let deviation):
      // Box and Muller (1958).
      let normal = sqrt(-2 * log(1 - random.unit())) * cos(2 * .pi * random.unit())
      return Int64(saturating: Double(median.nanoseconds) * exp(deviation * normal))
    case .heavyTail(let shortest, let shape, let longest):
      let drawn = Double(shortest.nanoseconds) * pow(1 - random.unit(), -1 / shape)
      return min(Int64(saturating: drawn), longest.nanoseconds)
    }
  }
}
