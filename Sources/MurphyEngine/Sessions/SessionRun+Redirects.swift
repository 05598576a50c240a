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
  /// other. Users stay at the target: a redirect to elsewhere ends the session.
  func redirected(
    _ request: PreparedRequest, to location: String, status: Int
  ) throws(SessionEnd) -> PreparedRequest {
    let origin = shard.context.origin
    let path = location.hasPrefix("/") ? origin.basePath : origin.text
    let id = shard.context.contract.operations[request.operation].id
    guard location.hasPrefix(path), !location.hasPrefix("//") else {
      throw .failed("\(id): redirected away from the target")
    }
    var next = request
    next.http.target = String(location.dropFirst(path.count))
    // All but 307 and 308 turn a POST into a GET, as every browser does.
    if status < 307, request.http.method != "HEAD" {
      next.http.method = "GET"
      next.http.body = nil
      next.http.headers.removeAll { $0.name.isSameHeader(as: "Content-Type") }
    }
    return next
  }
}
