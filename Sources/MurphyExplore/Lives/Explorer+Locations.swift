import Foundation
import MurphyContract
import MurphyDraft
import MurphyEngine
import MurphyJSON
import MurphyModel

extension Explorer {
  /// What `Location` names is there (RFC 9110 §10.2.2).
  func located(_ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    guard let made = before.last, let answer = try? made.ending.get(), let location = answer.header("location"),
      let call = reading(location, by: made)
    else { return (before, []) }
    let done = before + [try await runner.perform(call, after: before)]
    guard let last = done.last, last.status == 404 || last.status == 410 else { return (done, []) }
    let suspicion = Suspicion(
      kind: .exploreNotThere,
      message: "Location names \(String(location.prefix(100))), and a GET of it answers \(last.status)",
      cause: "location")
    return (done, [suspicion])
  }

  /// A call of the operation that the path belongs to; a plain GET where it belongs to none. Nil for another server.
  private func reading(_ location: String, by made: CaseRunner.Performed) -> ExploreCall? {
    let origin = runner.client.origin
    guard let base = URL(string: origin.text + made.request.target), let url = URL(string: location, relativeTo: base),
      url.host == base.host, url.port == base.port
    else { return nil }
    let whole = url.absoluteURL.path(percentEncoded: true)
    guard whole.hasPrefix(origin.basePath) else { return nil }
    let path = String(whole.dropFirst(origin.basePath.count))
    let segments = path.split(separator: "/").map(String.init)
    for index in setting.contract.operations.indices where setting.contract.operations[index].method == "GET" {
      let operation = setting.contract.operations[index]
      guard operation.isDocumented, let values = PathShape(operation.path).values(in: segments) else { continue }
      var call = ExploreCall(index)
      for (name, value) in values { call.path[name] = .literal(.string(PercentEncoding.decode(value))) }
      return call
    }
    var call = made.call
    (call.method, call.leavesOutBody, call.isOffContract) = ("GET", true, true)
    call.rawTarget = path + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    return call
  }
}
