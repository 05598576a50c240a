import MurphyHTTP
import MurphyModel
import MurphyScenario

/// True after the user's first connection to the target.
final class Line { var isConnected = false }

/// Simulates the user's network in time. The requests that leave murphy are delayed by the network, and the user sees
/// the responses late. The API's time is measured without it.
extension SessionRun {
  /// Waits until a request of the user has reached the target: half a round trip, after another one for the connection.
  nonisolated(nonsending) func send(over network: UserNetwork) async throws(SessionEnd) {
    let trip = try chance(network.latency)
    due = due + trip / 2 + (line.isConnected ? 0 : trip) + resending(network, trip)
    line.isConnected = true
    try await wait(until: due)
  }

  /// Delays the user's next step until a response with this number of bytes has reached it.
  func receive(_ bytes: Int, over network: UserNetwork) throws(SessionEnd) {
    let trip = try chance(network.latency)
    let transfer = network.down.map { Int64(saturating: Double(bytes) * 8e9 / $0) } ?? 0
    due = due + trip / 2 + transfer + resending(network, trip)
  }

  /// A random time from a separate stream, because the number of such times depends on the API.
  func chance(_ duration: DurationValue) throws(SessionEnd) -> Int64 {
    try evaluating { () throws(EvaluationError) in try duration.evaluate(in: &scope, random: &jitter) }
  }

  /// Nanoseconds that packet loss costs: each retransmission takes twice as long (RFC 6298 §5.5).
  private func resending(_ network: UserNetwork, _ trip: Int64) -> Int64 {
    guard network.loss > 0 else { return 0 }
    var (lost, wait, sum) = (0, trip + UserNetwork.timeout.nanoseconds, Int64(0))
    while lost < UserNetwork.mostLosses, jitter.unit() < network.loss {
      (lost, sum, wait) = (lost + 1, sum + wait, wait * 2)
    }
    return sum
  }
}

extension SessionRun {
  /// The destination of the response, if it is a redirect and the scenario follows redirects (RFC 9110 §15.4).
  func location(of transfer: Transfer) -> String? {
    guard loopRun.context.scenario.settings.redirects > 0, [301, 302, 303, 307, 308].contains(transfer.status) else {
      return nil
    }
    return transfer.headers.first { $0.name == "location" }?.value
  }

  /// The request that follows a redirect, under the same operation. Each hop is sent, answered and judged like any
  /// other request. Users stay at the target: a redirect to another origin ends the session, and no request is sent
  /// there.
  func redirected(
    _ request: PreparedRequest, to location: String, status: Int
  ) throws(SessionEnd) -> PreparedRequest {
    let id = loopRun.context.contract.operations[request.operation].id
    var next = request
    switch Redirect(location, from: request.http.target, at: loopRun.context.origin) {
    case .within(let target): next.http.target = target
    case .away: throw .failed("\(id): redirected away from the target")
    case .downgrade: throw .failed("\(id): redirected from https to http")
    case .malformed: throw .failed("\(id): redirected to an invalid URI reference")
    }
    // 303 requires a GET. 301 and 302 convert a POST into a GET, as in every browser (RFC 9110 §15.4).
    let method = request.http.method
    if (status == 303 && method != "HEAD") || (status < 303 && method == "POST") {
      next.http.method = "GET"
      next.http.body = nil
      next.http.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }
}
