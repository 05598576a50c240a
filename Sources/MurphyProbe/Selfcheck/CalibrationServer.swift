import Foundation
import Synchronization

/// An HTTP/1.1 server on a free port of the loopback that knows the truth: what it delayed, refused, broke, and when it
/// stood still.
///
/// One thread with real sockets. It shares no code with murphy's client, so that a mistake in one does not hide in the
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
  ///   - paths: what is done with requests for each path; all others get 404.
  ///   - seed: of the delays.
  /// - Throws: a `KnownServerError` when the system gives no socket.
  package init(_ paths: [String: CalibrationBehaviour], seed: UInt64) throws(KnownServerError) {
    (listener, port) = try CalibrationSocket.listen()
    let listener = listener
    Thread.detachNewThread { [self] in
      var loop = CalibrationLoop(listener: listener, paths: paths, seed: seed)
      while loop.turn(self) {}
    }
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var log: CalibrationLog { shared.withLock { $0.log } }

  /// Stands still at the next event: reads nothing, answers nothing, accepts nothing. The system's queues fill.
  package func freeze(for length: Duration) { shared.withLock { $0.freeze = length } }

  /// Ends the thread and closes all connections, within 50 ms.
  package func stop() { shared.withLock { $0.isStopped = true } }

  /// For the server's own thread.
  var isStopped: Bool { shared.withLock { $0.isStopped } }
  func note(_ change: (inout CalibrationLog) -> Void) { shared.withLock { change(&$0.log) } }
  func takeFreeze() -> Duration? { shared.withLock { $0.freeze.take() } }
}

/// The system gave no socket to the known server.
package struct KnownServerError: Error, CustomStringConvertible {
  package let description: String
}

/// What the known server does with the requests for one path.
package enum CalibrationBehaviour: Sendable {
  /// Answers after a delay of its own for each request.
  case delay(DelayDistribution)
  /// Admits so many requests of a key, by the header `X-Key`, in a window that begins with the key's first request; 429
  /// with an honest `Retry-After` for all others.
  case limit(admitted: Int, window: Duration)
  /// Answers at once; the body of one answer in so many breaks the schema.
  case breakSchema(oneIn: Int)
}

/// What the known server did, by its own clock (`CLOCK_MONOTONIC`, the one that murphy reads).
package struct CalibrationLog: Sendable {
  /// By path: from the moment at which a request was read to the one at which its answer was written, nanoseconds, in
  /// the order of the answers.
  package var imposed: [String: [Int64]] = [:]
  /// When the server stood still.
  package var freezes: [ClosedRange<Int64>] = []
  /// Answers that broke the schema.
  package var broken = 0
  /// Requests that a limit admitted, and those that it refused.
  package var admitted = 0
  package var refused = 0

  package init() {}

  /// How long the server stood still for whoever asked at `instant` (nanoseconds): until the freeze's end, or 0.
  package func frozen(at instant: Int64) -> Int64 {
    freezes.first { $0.contains(instant) }.map { $0.upperBound - instant } ?? 0
  }
}
