import MurphyModel

/// Shell commands that repeat requests of the limit log as they were sent. Credentials stay out of them.
///
/// A key that was drawn in the run is drawn anew by the script, so that it has no history when the script is pasted; any
/// other key is the one that was used, and a note says how long to leave it alone first.
struct LimitScript {
  let log: LimitLog
  let options: LimitJudgeOptions
  /// What the policy counts by.
  var key = LimitKey.global
  /// The policy's window, for the note.
  var window = ""

  /// Observation `index` as it was sent.
  func request(_ index: Int, output: CurlRequest.Output = .status) -> CurlRequest {
    let observation = log.observations[index]
    let identity = log.identities[Int(observation.identity)]
    let target = options.target.isEmpty ? ShellWord(ShellVariable("TARGET")) : ShellWord(options.target)
    var request = sent(observation)
    request.url = target + request.url
    request.headers += identity.headers.map { CurlRequest.Field($0.name, value($0, of: identity)) }
    request.output = output
    request.sourceAddress = identity.sourceAddress
    return request
  }

  /// What was sent; where that was not kept, what another request of the operation was, or what the contract says.
  private func sent(_ observation: LimitObservation) -> CurlRequest {
    let kept =
      observation.request >= 0
      ? observation.request
      : log.observations.first { $0.operation == observation.operation && $0.request >= 0 }?.request ?? -1
    if log.requests.indices.contains(Int(kept)) { return log.requests[Int(kept)] }
    let operation = log.operations[Int(observation.operation)]
    let summary = options.operations.first { $0.id == operation }
    return CurlRequest(method: summary?.method ?? "GET", url: ShellWord(summary?.path ?? "/" + operation))
  }

  /// The requests again, with the pauses between their sends; the whole answer of the last if it is what matters.
  func replay(_ indices: [Int], showingLast: Bool = false) -> String? {
    guard let first = indices.first, let last = indices.last else { return nil }
    let requests = indices.map { index in
      (
        moment: Double(log.observations[index].sent - log.start) * 1e-9,
        request: request(index, output: showingLast && index == last ? .answer : .status)
      )
    }
    let identity = log.identities[Int(log.observations[first].identity)]
    let drawn = key.headerNames.compactMap { name in
      identity.headers.first { $0.name == name && isDrawnAnew($0, of: identity) }
    }
    var steps: [CurlScript.Step] = drawn.map { .draw(ShellVariable($0.name)) }
    if drawn.isEmpty, !window.isEmpty {
      steps.append(.note("Begins with \(key.parts.isEmpty ? "an API" : "a key") that was not used for \(window)."))
    }
    return CurlScript(steps + CurlScript(replaying: requests).steps).text
  }

  /// Whether the script draws a value of its own for a header.
  private func isDrawnAnew(_ field: HeaderField, of identity: ClientIdentity) -> Bool {
    key.headerNames.contains(field.name) && identity.fresh.contains(field.name) && field.value.isUUID
  }

  private func value(_ field: HeaderField, of identity: ClientIdentity) -> ShellWord {
    if isDrawnAnew(field, of: identity) { return ShellWord(ShellVariable(field.name)) }
    guard log.secretHeaders.contains(field.name) else { return ShellWord(field.value) }
    let variable = ShellWord(ShellVariable("SECRET", field.name))
    guard field.name == "authorization", let space = field.value.firstIndex(of: " ") else { return variable }
    return ShellWord(String(field.value[...space])) + variable
  }
}

extension String {
  /// 8-4-4-4-12 hexadecimal digits (RFC 9562 §4).
  fileprivate var isUUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
      }
  }
}

extension ShellWord {
  /// As a report shows it: secrets masked.
  var shown: String {
    pieces.map { piece in
      switch piece {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .variable: "***"
      }
    }.joined()
  }
}
