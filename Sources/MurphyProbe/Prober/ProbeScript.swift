import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel

/// Shell commands that reproduce the result of a probe: they use up the quota and send one more request.
package struct ProbeScript {
  let subject: ProbeSubject
  let url: String
  let mask: SecretMask
  /// Names of members whose values are secret by the contract.
  let secretNames: Set<String>
  let options: TransportOptions
  /// The number of the base client's requests after which it is rejected.
  let enough: Int
  /// The number of requests beyond the allowance that a volley was admitted.
  let excess: Int
  /// The declared window, or the measured one if none is declared.
  let window: Duration
  /// The shorter one of the two.
  let shorterWindow: Duration
  /// Distinguishes the declared terms from the measured ones; nil if they are not known.
  let terms: TermsExperiment?

  package init(
    _ subject: ProbeSubject, _ limit: ProbedLimit, url: String, mask: SecretMask, secretNames: Set<String> = [],
    options: TransportOptions
  ) {
    self.subject = subject
    self.url = url
    (self.mask, self.secretNames) = (mask, secretNames)
    self.options = options
    let found = limit.report.allowance.map { Int(saturating: $0.largest.rounded(.up)) }
    enough = min(max(found ?? 0, limit.policy?.allowance ?? 0, 1), 10_000) + 3
    excess = min(max(limit.report.raceExcess ?? 0, 0), 1_000)
    let measured = limit.report.window.map { Duration.saturating(seconds: $0.value) }
    window = limit.policy?.window ?? measured ?? .seconds(60)
    shorterWindow = min(measured ?? window, window)
    let count = enough
    terms = limit.policy.flatMap { policy in
      guard policy.cost == nil, let found = limit.report.terms else { return nil }
      let declared = TermsExperiment.Terms(
        algorithm: policy.algorithm, allowance: policy.allowance, window: policy.window.inSeconds,
        countsRefused: policy.counts.refused == .yes)
      return TermsExperiment(declared: declared, measured: found, count: count)
    }
  }

  /// Adds a script to those findings that have none.
  package func added(to findings: [Finding]) -> [Finding] {
    findings.map { finding in
      guard finding.evidence?.curl == nil else { return finding }
      var finding = finding
      var evidence = finding.evidence ?? Evidence()
      evidence.curl = script(finding.kind).text
      finding.evidence = evidence
      return finding
    }
  }

  /// Prints the status of every request.
  private func script(_ kind: FindingKind) -> CurlScript {
    let spent = [usingUp(with: request(.base))]
    let begin = CurlScript.Step.note("Start with a client that sent no request for \((window * 2.1).text(places: 1)).")
    if let dimension = ProbeDimension.allCases.first(where: { $0.keyKind == kind || $0.bypassKind == kind }) {
      let others = (1...3).map { request(ProbeRequest(variant: ProbeVariant(dimension: dimension, number: $0)), $0) }
      return CurlScript(
        [begin, .note("The base client uses up its quota.")] + spent
          + [.note("Then send requests with another \(dimension.rawValue)."), .requests(others)])
    }
    switch kind {
    case .limitRace:
      return CurlScript([begin, .together(request(.base), count: enough + excess)])
    case .limitTerms where terms != nil:
      let steps = (terms?.bursts ?? []).flatMap { burst -> [CurlScript.Step] in
        let sending = usingUp(with: request(.base), count: burst.count)
        return burst.pause > 0 ? [.pause(.saturating(seconds: burst.pause)), sending] : [sending]
      }
      return CurlScript([begin, .note(terms?.note ?? "")] + steps)
    case .limitTerms:
      return CurlScript(
        [begin, .note("Use up the quota. After the shorter window, send one more request.")] + spent
          + [.pause(shorterWindow * 1.05), .requests([request(.base)])])
    case .limitCountsRefused:
      return CurlScript(
        [begin, .note("Send rejected requests within the window, then one request after it.")] + spent
          + [.pause(window * 0.6)] + spent + [.pause(window * 0.6), .requests([request(.base)])])
    case .limitCountsFailed:
      let failing = usingUp(with: request(ProbeRequest(isInvalid: true)))
      return CurlScript([
        begin, .note("Send malformed requests, then a valid one."), failing, .requests([request(.base)]),
      ])
    default: return CurlScript([begin] + spent)
    }
  }

  /// As many requests as use up the quota: concurrent ones if sequential calls would be too slow for the window.
  private func usingUp(with request: CurlRequest, count: Int? = nil) -> CurlScript.Step {
    let count = count ?? enough
    return Double(count) > Self.callsPerSecond * window.inSeconds
      ? .together(request, count: count) : .requests(Array(repeating: request, count: count))
  }

  /// The minimum number of sequential curl calls of a shell in a second.
  private static let callsPerSecond = 20.0

  /// With other names for its variables: another client's credentials are not the base client's.
  private static func renamed(_ word: ShellWord, _ number: Int) -> ShellWord {
    ShellWord(
      word.pieces.map { piece in
        guard case .variable(let variable) = piece else { return piece }
        return .variable(ShellVariable(variable.name, "other", String(number)))
      })
  }

  private func request(_ request: ProbeRequest, _ fresh: Int = 0) -> CurlRequest {
    let outgoing = subject.outgoing(request, fresh: fresh)
    let mask = mask.adding(contentOf: outgoing.http, secretNames)
    let isOther = request.variant?.dimension == .token
    var curl = CurlRequest(
      method: outgoing.http.method, url: mask.word(url + outgoing.http.target),
      headers: outgoing.http.headers.map { field in
        let word = mask.word(field)
        return CurlRequest.Field(field.name, isOther ? Self.renamed(word, fresh) : word)
      },
      body: outgoing.http.body.map(mask.word), output: .status, authorities: options.authorities,
      checksCertificates: options.checksCertificates, sourceAddress: outgoing.sourceAddress ?? "")
    curl.certificate = options.certificate
    return curl
  }
}
