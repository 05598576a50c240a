/// Lets a user have only so many requests in flight, as a browser does; the others wait in order.
final class RequestGate {
  private let limit: Int
  private var inside = 0
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  init(limit: Int) { self.limit = limit }

  nonisolated(nonsending) func enter() async {
    if inside < limit {
      inside += 1
    } else {
      // The one who leaves hands its place over.
      await withUnsafeContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { inside -= 1 } else { waiting.removeFirst().resume() }
  }
}
