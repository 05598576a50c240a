import MurphyModel

extension ProcessPart {
  /// The loops' logs of the invariants together, with the reads before and behind the load: of each loop in the order
  /// in which the exchanges ended.
  var stateLog: StateLog {
    var whole = StateLog(invariants: context.state.invariants.count)
    whole.operations = context.contract.operations.map(\.id)
    guard !context.state.isEmpty else { return whole }
    let hidesContent = logs.contains(where: \.hasForgottenSecrets)
    for recorder in [starts?.recorder].compactMap(\.self) + logs.map(\.state) + [finals].compactMap(\.self) {
      var log = recorder.log
      if !hidesContent {
        log.requests = recorder.requests.requests.map { CurlRequest($0, context.mask, context.transport) }
        log.headers = recorder.headers.map { fields in
          fields.map { CurlRequest.Field($0.name, context.mask.word($0)) }
        }
      }
      whole.append(log)
    }
    // What a loop wrote that never handed its log over may stand behind every answer.
    if !stuckLoops.isEmpty {
      for index in whole.gaps.indices { whole.gaps[index].unreadWrites += 1 }
    }
    return whole
  }
}
