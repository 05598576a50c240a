import MurphyModel
import MurphyScenario

/// Whether a user has a connection to the target yet.
final class Line { var isConnected = false }

/// The user's network, in time: the requests that leave murphy are late by what lies between, and the user sees the answers
/// late. What the API took is measured without it.
extension SessionRun {
  /// Waits until a request of the user has come to the target: half a round trip, after another one for the connection.
  nonisolated(nonsending) func send(over network: UserNetwork) async throws(SessionEnd) {
    let trip = try chance(network.latency)
    due = due + trip / 2 + (line.isConnected ? 0 : trip) + resending(network, trip)
    line.isConnected = true
    try await wait(until: due)
  }

  /// Puts off what the user does next until an answer of so many bytes has come to it.
  func receive(_ bytes: Int, over network: UserNetwork) throws(SessionEnd) {
    let trip = try chance(network.latency)
    let transfer = network.down.map { Int64(saturating: Double(bytes) * 8e9 / $0) } ?? 0
    due = due + trip / 2 + transfer + resending(network, trip)
  }

  /// A time drawn from the stream of its own, for how many there are depends on the API.
  func chance(_ duration: DurationValue) throws(SessionEnd) -> Int64 {
    do throws(EvaluationError) {
      return try duration.evaluate(in: &scope, random: &jitter)
    } catch {
      throw failure(error)
    }
  }

  /// Nanoseconds lost to packets that are lost: each time twice as long (RFC 6298 §5.5).
  private func resending(_ network: UserNetwork, _ trip: Int64) -> Int64 {
    guard network.loss > 0 else { return 0 }
    var (lost, wait, sum) = (0, trip + UserNetwork.timeout.nanoseconds, Int64(0))
    while lost < UserNetwork.mostLosses, jitter.unit() < network.loss {
      (lost, sum, wait) = (lost + 1, sum + wait, wait * 2)
    }
    return sum
  }
}
