import Foundation
import Synchronization

/// An HTTP/1.1 server on a free port of the loopback that knows the truth: what it delayed, refused, broke, and when it
/// stood still.
///
/// One thread with real sockets. It shares no code with murphy's client, so that a mistake in one does not hide in the
/// other. The caller stops it.
package final class KnownServer: Sendable {
  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: CInt
  private let shared = Mutex(Shared())

  private struct Shared {
    var log = KnownLog()
    var freeze: Duration?
    var isStopped = false
  }

  /// - Parameters:
  ///   - paths: what is done with requests for each path; all others get 404.
  ///   - seed: of the delays.
  /// - Throws: a `KnownServerError` when the system gives no socket.
  package init(_ paths: [String: KnownBehaviour], seed: UInt64) throws(KnownServerError) {
    (listener, port) = try KnownSocket.listen()
    let listener = listener
    Thread.detachNewThread { [self] in
      var loop = KnownLoop(listener: listener, paths: paths, seed: seed)
      while loop.turn(self) {}
    }
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var log: KnownLog { shared.withLock { $0.log } }

  /// Stands still at the next event: reads nothing, answers nothing, accepts nothing. The system's queues fill.
  package func freeze(for length: Duration) { shared.withLock { $0.freeze = length } }

  /// Ends the thread and closes all connections, within 50 ms.
  package func stop() { shared.withLock { $0.isStopped = true } }

  /// For the server's own thread.
  var isStopped: Bool { shared.withLock { $0.isStopped } }
  func note(_ change: (inout KnownLog) -> Void) { shared.withLock { change(&$0.log) } }
  func takeFreeze() -> Duration? { shared.withLock { $0.freeze.take() } }
}

/// The system gave no socket to the known server.
package struct KnownServerError: Error, CustomStringConvertible {
  package let description: String
}
