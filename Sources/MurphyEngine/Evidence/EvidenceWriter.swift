import MurphyModel
import MurphyTransport

/// Turns an ended request into what a report shows of it; made only for the first of equal findings.
struct EvidenceWriter {
  let context: RunContext
  /// Knows the exchange's own secrets, too.
  let mask: SecretMask

  func evidence(_ transfer: Transfer, _ request: PreparedRequest, _ trail: SessionTrail) -> Evidence {
    let isAnswered = if case .answered = transfer.ending { true } else { false }
    let script =
      trail.script?(isAnswered ? transfer.status : 0)
      ?? ReproductionScript.text(
        request.http, needs: trail.sources(of: request.reads), trail: trail, context: context, mask: mask,
        timeout: isAnswered ? nil : (request.http.timeout ?? context.transport.timeout).inSeconds)
    return Evidence(exchange: cut(mask.masked(exchange(transfer, request))), curl: script)
  }

  /// Bytes of an answer that are searched for secrets; evidence shows far fewer.
  private static let mostRead = 1 << 20

  /// Cut to what a report shows, after the secrets are out: a part of one would not be found.
  private func cut(_ exchange: Exchange) -> Exchange {
    let limit = context.options.evidenceLimit.bytes
    func cut(_ text: String) -> String {
      text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }
    var exchange = exchange
    exchange.requestBody = exchange.requestBody.map(cut)
    exchange.responseBody = exchange.responseBody.map(cut)
    return exchange
  }

  private func exchange(_ transfer: Transfer, _ request: PreparedRequest) -> Exchange {
    let isAnswered = if case .answered = transfer.ending { true } else { false }
    return Exchange(
      method: request.http.method, url: context.origin.text + request.http.target,
      requestHeaders: sentHeaders(request.http),
      requestBody: request.http.content?.shown ?? request.http.body.map { String(decoding: $0, as: UTF8.self) },
      status: isAnswered || transfer.status > 0 ? transfer.status : nil, responseHeaders: transfer.headers,
      responseBody: transfer.bodyBytes.isEmpty
        ? nil : String(decoding: transfer.bodyBytes.prefix(Self.mostRead), as: UTF8.self),
      responseSize: transfer.bodyBytes.count, sent: context.seconds(transfer.sent),
      took: Double(transfer.ended - transfer.sent) / 1000)
  }

  /// With the fields that the client adds itself; the jar's cookies are not shown.
  private func sentHeaders(_ request: HTTPRequest) -> [HeaderField] {
    var fields = [HeaderField("Host", context.origin.authority)]
    var own = [HeaderField("User-Agent", context.transport.userAgent), HeaderField("Accept", "*/*")]
    if let codings = context.transport.codings { own.append(HeaderField("Accept-Encoding", codings)) }
    for field in own where !request.headers.names(field.name) { fields.append(field) }
    return fields + request.headers
  }
}

extension Transfer {
  /// The answer's header fields. Allocates: for refusals and evidence, not for every answer.
  var headers: [HeaderField] { [HeaderField](lines: headerBlock) }
}
