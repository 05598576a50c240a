import MurphyModel

/// Shell commands that repeat requests of the limit log. Credentials stay out of them.
struct LimitScript {
  let log: LimitLog
  let options: LimitJudgeOptions

  /// Observation `index` as it was sent.
  func request(_ index: Int, output: CurlRequest.Output = .status) -> CurlRequest {
    let observation = log.observations[index]
    let operation = log.operations[Int(observation.operation)]
    let identity = log.identities[Int(observation.identity)]
    let summary = options.operations.first { $0.id == operation }
    let target = options.target.isEmpty ? ShellWord(ShellVariable("TARGET")) : ShellWord(options.target)
    return CurlRequest(
      method: summary?.method ?? "GET", url: target + ShellWord(summary?.path ?? "/" + operation),
      headers: identity.headers.map { CurlRequest.Field($0.name, Self.value($0)) }, output: output,
      sourceAddress: identity.sourceAddress)
  }

  /// The requests again, with the pauses between their sends.
  func replay(_ indices: [Int]) -> String? {
    guard !indices.isEmpty else { return nil }
    let requests = indices.map { index in
      (moment: Double(log.observations[index].sent - log.start) * 1e-9, request: request(index))
    }
    return CurlScript(replaying: requests).text
  }

  private static func value(_ field: HeaderField) -> ShellWord {
    ["authorization", "cookie"].contains(field.name)
      ? ShellWord(ShellVariable("SECRET", field.name)) : ShellWord(field.value)
  }
}
