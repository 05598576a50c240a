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
    guard case .within(let target) = Redirect(location, from: made.request.target, at: runner.client.origin) else {
      return nil
    }
    let matcher = OperationMatcher(setting.contract)
    if !target.contains("?"), let match = matcher.match("GET", target), match.base.isEmpty {
      var call = ExploreCall(match.operation)
      for (name, value) in match.values { call.path[name] = .literal(.string(value)) }
      return call
    }
    var call = made.call
    (call.method, call.leavesOutBody, call.isOffContract, call.rawTarget) = ("GET", true, true, target)
    return call
  }
}
