import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphySchema

extension Explorer {
  /// The report of a confirmed suspicion.
  ///
  /// - Parameters:
  ///   - original: the case before it was reduced.
  ///   - name: of the work that showed it.
  func found(
    _ suspicion: Suspicion, _ one: ExploreCase, _ performed: [CaseRunner.Performed], original: ExploreCase, name: String
  ) -> ExploreState.Found {
    var details = suspicion.details
    if one.steps != original.steps {
      details.append("Minimised: the other parts of the request do not matter.")
    }
    if performed.count > 1 {
      let before = performed.dropLast().map { "\(id($0.call)) (\($0.status))" }
      details.append("Before it: \(before.joined(separator: ", ")).")
    }
    if let last = performed.last, last.isSuccess, ["POST", "PUT"].contains(last.request.method), last.isFresh {
      let places = last.prepared.repeatedPlaces.map(\.description).sorted().joined(separator: ", ")
      if !places.isEmpty {
        details.append(
          "The command sends the same \(places) as explore did. Change it if the API accepts a value only once.")
      }
    }
    var finding = Finding(
      kind: suspicion.kind, severity: suspicion.severity, operation: id(one.call),
      message: setting.mask.masked(suspicion.message), details: details.map(setting.mask.masked),
      firstSeen: performed.last?.sent ?? 0, lastSeen: performed.last?.sent ?? 0, discriminator: suspicion.cause)
    finding.cause = suspicion.shared
    let status = performed.last?.status ?? 0
    let requests = board.explaining(performed.map(\.prepared), status: status)
    finding.evidence = Evidence()
    finding.evidence?.exchange = performed.last.map(exchange)
    finding.evidence?.curl = CaseScript(origin: runner.client.origin, setting: setting, callers: board.callers)
      .text(requests, status: status)
    return ExploreState.Found(finding: finding, steps: requests.map(\.call), name: name)
  }

  func id(_ call: ExploreCall) -> String { setting.contract.operations[call.operation].id }

  private func exchange(_ performed: CaseRunner.Performed) -> Exchange {
    let origin = runner.client.origin
    let answer = try? performed.ending.get()
    var exchange = Exchange(
      method: performed.request.method, url: origin.text + performed.request.target,
      requestHeaders: [HeaderField("Host", origin.authority)] + performed.request.headers,
      requestBody: performed.request.body.map { String(decoding: $0.prefix(Self.mostShown), as: UTF8.self) },
      status: answer?.status, responseHeaders: answer?.headers ?? [],
      responseBody: answer.flatMap { $0.body.isEmpty ? nil : String(decoding: $0.body, as: UTF8.self) },
      responseSize: answer?.body.count ?? 0, sent: performed.sent, took: performed.took)
    exchange = setting.mask.masked(exchange)
    exchange.responseBody = exchange.responseBody.map {
      String(decoding: $0.utf8.prefix(Self.mostShown), as: UTF8.self)
    }
    return exchange
  }

  /// The maximum number of bytes of a body in a report.
  private static let mostShown = 4_096
}
