import Foundation
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Converts a completed request into the evidence of a report. It is created only for the first of equal findings.
struct EvidenceWriter {
  let context: RunContext
  /// Includes the secrets of the exchange itself.
  let mask: SecretMask

  func evidence(_ transfer: Transfer, _ request: PreparedRequest, _ history: RequestHistory) -> Evidence {
    let hasResponse = if case .answered = transfer.ending { true } else { false }
    let script =
      history.script?(hasResponse ? transfer.status : 0)
      ?? ReproductionScript.text(
        request.http, needs: history.sources(of: request.reads), history: history, context: context, mask: mask,
        timeout: hasResponse ? nil : request.http.timeout ?? context.transport.timeout)
    return Evidence(exchange: cut(mask.masked(exchange(transfer, request))), curl: script)
  }

  /// The number of bytes of a response that are searched for secrets. Evidence shows far fewer.
  private static let mostRead = 1 << 20

  /// Cuts an exchange to the length that a report shows. Secrets are removed first: a part of a secret would not be
  /// found.
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
    let hasResponse = if case .answered = transfer.ending { true } else { false }
    var exchange = Exchange(
      method: request.http.method, url: context.origin.text + request.http.target,
      requestHeaders: sentHeaders(request.http),
      requestBody: request.http.content?.shown ?? request.http.body.map { String(decoding: $0, as: UTF8.self) },
      status: hasResponse || transfer.status > 0 ? transfer.status : nil, responseHeaders: transfer.headers,
      responseBody: transfer.bodyBytes.isEmpty
        ? nil : String(decoding: transfer.bodyBytes.prefix(Self.mostRead), as: UTF8.self),
      responseSize: transfer.bodyBytes.count, sent: context.time(transfer.sent),
      took: .nanoseconds(transfer.ended - transfer.sent))
    exchange.recordTrace(transfer.trace)
    return exchange
  }

  /// Includes the headers that the client adds itself. The cookies of the jar are not shown.
  private func sentHeaders(_ request: HTTPRequest) -> [HeaderField] {
    var fields = [HeaderField("Host", context.origin.authority)]
    var own = [HeaderField("User-Agent", context.transport.userAgent), HeaderField("Accept", "*/*")]
    if let codings = context.transport.codings { own.append(HeaderField("Accept-Encoding", codings)) }
    for field in own where !request.headers.names(field.name) { fields.append(field) }
    return fields + request.headers
  }
}

extension Exchange {
  /// Records the ids that connect the exchange with the spans of the target.
  package mutating func recordTrace(_ trace: TraceContext?) {
    traceId = trace?.id
    traceSampled = trace?.isSampled
  }
}

extension Transfer {
  /// The headers of the response. Allocates: use it for rejections and evidence, not for every response.
  var headers: [HeaderField] { [HeaderField](lines: headerBlock) }
}

/// The values that a session generated as unique. A script generates them again each time it runs: with the same device
/// a limiter would soon reject it, and the same name would already exist.
struct DrawnTexts {
  private let texts: [[UInt8]]
  /// In the order of their first use.
  private(set) var used: [[UInt8]] = []

  /// - Parameter http: the request that is sent again. Credentials that contain a generated value in another form
  ///   cannot be generated again with it, so all values stay as they are.
  init(_ unique: UniqueValues, for http: HTTPRequest) {
    let parts = unique.parts
    let isEncoded = http.headers.contains { field in
      guard field.name.lowercased() == "authorization", field.value.lowercased().hasPrefix("basic "),
        let data = Data(base64Encoded: String(field.value.dropFirst("basic ".count)))
      else { return false }
      let text = String(decoding: data, as: UTF8.self)
      return parts.contains { text.contains($0) }
    }
    texts = isEncoded ? [] : parts.map { Array($0.utf8) }
  }

  var steps: [CurlScript.Step] {
    used.enumerated().map { index, text in
      .draw(Self.variable(index), text.contains(UInt8(ascii: "-")) ? .uuid : .letters(text.count))
    }
  }

  /// The literal text with the generated values as variables.
  mutating func pieces(of bytes: [UInt8]) -> [ShellWord.Piece] {
    guard let (range, text) = first(in: bytes[...]) else { return [.bytes(bytes)] }
    let index = used.firstIndex(of: text) ?? used.endIndex
    if index == used.endIndex { used.append(text) }
    return [.bytes(Array(bytes[..<range.lowerBound])), .variable(Self.variable(index))]
      + pieces(of: Array(bytes[range.upperBound...]))
  }

  private func first(in bytes: ArraySlice<UInt8>) -> (Range<Int>, [UInt8])? {
    var first: (Range<Int>, [UInt8])?
    for text in texts {
      guard let range = bytes.firstRange(of: text), range.lowerBound < first?.0.lowerBound ?? .max else { continue }
      first = (range, text)
    }
    return first
  }

  private static func variable(_ index: Int) -> ShellVariable { ShellVariable("drawn", String(index + 1)) }
}
