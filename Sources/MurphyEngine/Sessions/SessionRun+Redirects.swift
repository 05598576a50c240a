import MurphyModel
import MurphyTransport

extension SessionRun {
  /// Where the answer sends the user, if it is a redirect and the scenario follows any (RFC 9110 §15.4).
  func location(of transfer: Transfer) -> String? {
    guard shard.context.scenario.settings.redirects > 0, [301, 302, 303, 307, 308].contains(transfer.status) else {
      return nil
    }
    return transfer.headers.first { $0.name == "location" }?.value
  }

  /// The request that follows a redirect, under the same operation: each hop is sent, answered and judged like any
  /// other. Users stay at the target: a redirect to elsewhere ends the session, and nothing is sent there.
  func redirected(
    _ request: PreparedRequest, to location: String, status: Int
  ) throws(SessionEnd) -> PreparedRequest {
    let id = shard.context.contract.operations[request.operation].id
    var next = request
    switch Redirect(location, from: request.http.target, at: shard.context.origin) {
    case .within(let target): next.http.target = target
    case .away: throw .failed("\(id): redirected away from the target")
    case .downgrade: throw .failed("\(id): redirected from https to http")
    case .malformed: throw .failed("\(id): redirected to what is not a URI reference")
    }
    // 303 asks for a GET; 301 and 302 turn a POST into one, as every browser does (RFC 9110 §15.4).
    let method = request.http.method
    if (status == 303 && method != "HEAD") || (status < 303 && method == "POST") {
      next.http.method = "GET"
      next.http.body = nil
      next.http.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }
}
