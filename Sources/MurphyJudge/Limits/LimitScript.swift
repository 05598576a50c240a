import MurphyModel

/// Shell commands that repeat requests of the limit log as they were sent. They contain no credentials.
///
/// The script generates a new value for a key that was generated in the run. It requests a new value for a key that the
/// target issued. So the key has no history when the script is executed. Any other key is the original one, and a note
/// gives the time for which it must not be used before.
struct LimitScript {
  let log: LimitLog
  let options: LimitJudgeOptions
  /// The key of the policy.
  var key = LimitKey.global
  /// The policy's window, for the note.
  var window = ""
  /// Further information for the user before the execution.
  var remark = ""
  /// Requests of other keys within a window before that the script does not send.
  var absent = 0

  private var target: ShellWord {
    options.target.isEmpty ? ShellWord(ShellVariable("TARGET")) : ShellWord(options.target)
  }

  /// Observation `index` as it was sent.
  func request(_ index: Int, output: CurlRequest.Output = .status) -> CurlRequest {
    let observation = log.observations[index]
    let identity = log.identities[Int(observation.identity)]
    var request = sent(observation)
    request.url = target + request.url
    request.headers += identity.headers.map { CurlRequest.Field($0.name, value($0, of: identity)) }
    request.output = output
    request.sourceAddress = identity.sourceAddress
    return request
  }

  /// The request as sent. If it was not kept, another request of the operation, or the contract's.
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

  /// Repeats the requests with the pauses between their sends.
  ///
  /// - Parameter shown: the requests whose whole responses are printed; of the others, only the status.
  func replay(_ indices: [Int], showing shown: Set<Int> = []) -> ShellScript? {
    guard let first = indices.first else { return nil }
    let identity = log.identities[Int(log.observations[first].identity)]
    let keys = key.headerNames.compactMap { name in identity.headers.first { $0.name == name } }
    let logins = keys.compactMap(login)
    let requests = indices.map { index in
      var request = request(index, output: shown.contains(index) ? .response : .status)
      for login in logins {
        for place in request.headers.indices where request.headers[place].name == login.field.name {
          request.headers[place] = login.field
        }
      }
      return CurlScript.Sent(
        moment: .nanoseconds(log.observations[index].sent - log.start), request: request,
        outcome: shown.contains(index) ? -1 : Int(log.observations[index].status))
    }
    let drawn = keys.filter { isDrawnAnew($0, of: identity) }
    var steps: [CurlScript.Step] = drawn.map { .draw(ShellVariable($0.name)) } + logins.flatMap(\.steps)
    if drawn.isEmpty, logins.isEmpty, !window.isEmpty {
      steps.append(.note("Start with \(place) that had no requests for \(window)."))
    }
    if !remark.isEmpty { steps.append(.note(remark)) }
    if absent > 0 {
      steps.append(
        .note(
          "In the \(window) before, the run also sent \(absent) request\(absent == 1 ? "" : "s") with other keys or "
            + "without a key. This script does not send them, so a limiter that counts them admits more here."))
    }
    return CurlScript(steps + CurlScript(replaying: requests).steps).text
  }

  private var place: String {
    key.parts.isEmpty ? "an API" : key == .sourceAddress ? "an address" : "a key"
  }

  /// Those of a client's requests that can be in a limiter's state when it decides on one of them, and those that come
  /// after it. The history begins at a pause of two windows, because the limiter's window may be longer than the
  /// declared one. It begins at most five windows before.
  ///
  /// - Parameters:
  ///   - indices: the client's requests, in any order.
  ///   - window: seconds.
  static func history(_ indices: [Int], of index: Int, _ log: LimitLog, window: Double) -> [Int] {
    func sent(_ index: Int) -> Double { Double(log.observations[index].sent - log.start) * 1e-9 }
    let ordered = indices.sorted { sent($0) < sent($1) }
    let end = sent(index)
    var begin = end
    for earlier in ordered.reversed() where sent(earlier) < end {
      guard begin - sent(earlier) < window * 2, end - sent(earlier) <= 5 * window else { break }
      begin = sent(earlier)
    }
    return ordered.filter { sent($0) >= begin }
  }

  /// The steps to get a new value for a header whose credential was in a response, and the header with it.
  ///
  /// A credential that only contains a part from a response is a secret like any other: none of it is printed.
  private func login(_ field: HeaderField) -> (steps: [CurlScript.Step], field: CurlRequest.Field)? {
    let (scheme, credential) = parts(of: field)
    guard
      let issue = log.issues.first(where: { issue in
        log.requests.indices.contains(Int(issue.login)) && credential == issue.value
      })
    else { return nil }
    var request = log.requests[Int(issue.login)]
    request.url = target + request.url
    let response = ShellVariable("answer", field.name)
    let saved = ShellVariable("saved", field.name)
    let named = CurlRequest.Field(field.name, ShellWord(scheme) + ShellWord(saved))
    switch issue.place {
    case .unknown: return nil
    case .body(let filter):
      request.output = .body
      return ([.keep(response, bodyOf: request), .extract(saved, from: response, filter: filter)], named)
    case .header(let name):
      request.output = .response
      return ([.keepResponse(response, to: request), .extractHeader(saved, from: response, name: name)], named)
    }
  }

  /// True if the script generates a new value for a header.
  private func isDrawnAnew(_ field: HeaderField, of identity: ClientIdentity) -> Bool {
    key.headerNames.contains(field.name) && identity.fresh.contains(field.name) && field.value.isUUID
  }

  private func value(_ field: HeaderField, of identity: ClientIdentity) -> ShellWord {
    if isDrawnAnew(field, of: identity) { return ShellWord(ShellVariable(field.name)) }
    guard log.secretHeaders.contains(field.name) else { return ShellWord(field.value) }
    return ShellWord(parts(of: field).scheme) + ShellWord(ShellVariable("SECRET", field.name))
  }

  /// The scheme of `Authorization`, with the space after it, and the credential (RFC 9110 §11.4); of any other field
  /// the whole value is the credential.
  private func parts(of field: HeaderField) -> (scheme: String, credential: String) {
    guard field.name == "authorization", let space = field.value.firstIndex(of: " ") else { return ("", field.value) }
    return (String(field.value[...space]), String(field.value[field.value.index(after: space)...]))
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
  /// As in a report: secrets masked.
  var shown: String {
    pieces.map { piece in
      switch piece {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .variable: "***"
      }
    }.joined()
  }
}
