import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

extension Explorer {
  /// Reads the resources that the response to the last request of a case links to.
  func readLinks(_ one: ExploreCase, _ steps: [CaseRunner.Performed]) async throws(CaseRunner.Stop) {
    guard !setting.off.contains(.exploreDeadLink), one.call.isPlain, one.call.caller == .own, !one.call.isOffContract,
      let last = steps.last, last.isSuccess, last.status != 202, last.request.method != "DELETE",
      board.state.withLock({ $0.links.takeResponse(of: one.call.operation) })
    else { return }
    for link in ResponseLink.all(last) {
      guard let call = call(of: link, after: steps), let target = call.rawTarget,
        board.state.withLock({ $0.links.take(one.call.operation, link.member, target) })
      else { continue }
      do throws(CaseRunner.Stop) {
        let read = try await runner.perform(call, after: steps)
        if read.isMissing { try await confirm(link.member, one, at: read.sent) }
      } catch {
        if case .over = error { throw error }
      }
    }
  }

  /// It counts only if a link of a second response is dead as well, after time to create its resource.
  private func confirm(_ member: String, _ one: ExploreCase, at moment: Duration) async throws(CaseRunner.Stop) {
    let claim = ExploreState.Claim(kind: .exploreDeadLink, operation: one.call.operation, cause: member)
    try await confirm(claim, at: moment, patience: 1) { () async throws(CaseRunner.Stop) -> Shown? in
      let steps = try await runner.run(one.steps, isFresh: true)
      guard let last = steps.last, last.isSuccess else { return nil }
      do { try await runner.client.think(.seconds(1)) } catch { throw .over }
      for link in ResponseLink.all(last) where link.member == member {
        guard let call = call(of: link, after: steps) else { continue }
        let read = try await runner.perform(call, after: steps)
        guard read.isMissing else { continue }
        let suspicion = Suspicion(
          kind: .exploreDeadLink,
          message: "\(member) is \(link.reference.shortened(to: 100)), but a GET of this URL returns \(read.status)",
          cause: member,
          details: ["\(last.request.method) \(last.request.target) returned \(last.status) with this link."])
        return (found(suspicion.unless(last.review), one, steps + [read], original: one, name: one.name), "")
      }
      return nil
    }
  }

  /// A GET of the link; nil if it leads to another server, or if explore does not send such requests. A path without a
  /// host counts in a body only if the contract has it, because other members also contain paths.
  private func call(of link: ResponseLink, after steps: [CaseRunner.Performed]) -> ExploreCall? {
    guard let made = steps.last, made.body?.holds(link.reference) != true,
      case .within(let target) = Redirect(link.reference, from: made.request.target, at: runner.client.origin)
    else { return nil }
    var call: ExploreCall
    if let documented = reading(documented: target) {
      let query = target.drop { $0 != "?" }
      guard setting.excluded[documented.operation] == nil, WriteRule.mayFollow(query, named: "") else { return nil }
      call = documented
    } else {
      guard link.place == nil || link.isAbsolute, WriteRule.mayFollow(target, named: link.member),
        !["POST", "PUT", "PATCH", "DELETE"].contains(where: { match($0, target) != nil })
      else { return nil }
      call = reading(undocumented: target, by: made)
    }
    call.rawTarget = target
    if let place = link.place {
      call.link = ExploreCall.Link(
        source: .response(step: steps.count - 1, .body(place)), isPath: !link.isAbsolute)
    }
    return call
  }
}

extension Explorer {
  /// The call of the documented GET that the target belongs to.
  func reading(documented target: String) -> ExploreCall? {
    guard let match = match("GET", target) else { return nil }
    var call = ExploreCall(match.operation)
    for (name, value) in match.values { call.path[name] = .literal(.string(value)) }
    // A path with a slash too much or too few is another URL.
    let isPath = setting.contract.operations[match.operation].isPath(target.prefix { $0 != "?" })
    call.isOffContract = target.contains("?") || !isPath
    return call
  }

  func reading(undocumented target: String, by made: CaseRunner.Performed) -> ExploreCall {
    var call = made.call
    (call.method, call.leavesOutBody, call.isOffContract, call.rawTarget) = ("GET", true, true, target)
    return call
  }

  private func match(_ method: String, _ target: String) -> OperationMatcher.Match? {
    let match = OperationMatcher(setting.contract).match(method, String(target.prefix { $0 != "?" }))
    return match?.base.isEmpty == true ? match : nil
  }
}
