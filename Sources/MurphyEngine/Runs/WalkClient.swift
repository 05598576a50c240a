import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Sends the requests of a walk in sequence, and records the data for relations. Created and used only on its loop.
final class WalkClient {
  /// A response; its numbers refer to the walk's log.
  struct Response {
    var status: Int
    /// Names in lower case.
    var headers: [HeaderField]
    var body: [UInt8]
    var request: HTTPRequest
    var sent: Int64
    var answered: Int64
    var age: Int64
    var view: Int
    /// The number of the page in the log; -1 if it is not a page.
    var page = -1

    subscript(header: String) -> String? { headers.first { $0.name.lowercased() == header }?.value }
    var value: JSONValue? { try? JSONValue.parse(body) }

    /// The value at these names.
    func member(_ path: [String]) -> JSONValue? { path.reduce(value) { $0?[$1] } }
  }

  private let connection: Connection
  private let parser = TapeParser()
  private let reader: RelationReader
  private let start: Instant
  private let deadline: Instant
  private let most: Int
  private let mask: SecretMask
  private let options: TransportOptions
  private let origin: Origin
  private let rejections: RejectionRules
  private let loop: EventLoop
  private let credential: SharedCredential?
  private(set) var recorder = RelationRecorder(loops: 1)
  private(set) var sent = 0
  private var refusals = 0
  private static let mostRefusals = 8
  /// Pages with one number belong to one walk.
  var session = Int64.max / 2
  /// The reason why it stopped; nil while it continues.
  private(set) var end: String?

  /// - Parameters:
  ///   - start: the zero of the load's time.
  ///   - deadline: no request is sent after it.
  ///   - most: the maximum number of requests.
  init(
    _ transport: Transport, _ relations: ContractRelations, start: Instant, deadline: Instant, most: Int,
    mask: SecretMask, origin: Origin, rejections: RejectionRules, options: TransportOptions,
    credential: SharedCredential?
  ) throws {
    (loop, self.credential) = (transport.loop, credential)
    connection = try transport.connect(sourceAddress: nil, keepsCookies: false)
    reader = RelationReader(relations)
    self.start = start
    self.deadline = deadline
    self.most = most
    self.mask = mask
    self.origin = origin
    self.rejections = rejections
    self.options = options
  }

  /// The walk's log.
  func close() -> RelationLog {
    connection.close()
    var log = recorder.log
    reader.fill(&log)
    log.requests = recorder.requests.map(curl)
    log.walked = sent
    return log
  }

  /// - Returns: nil when the walk is over. Then its time or requests are used up, or the target rejects too many.
  func send(_ request: HTTPRequest, _ operation: Int) async -> Response? {
    guard end == nil else { return nil }
    guard sent < most, .now < deadline else {
      end = "a limit on time or requests ended the requests after the load (\(sent) sent)"
      return nil
    }
    sent += 1
    var request = request
    let transfer = await connection.exchanged(&request, operation: operation, credential, on: loop)
    defer { transfer.release() }
    guard case .answered = transfer.ending, !transfer.isCutOff else {
      end = "a request after the load received no response"
      return nil
    }
    guard !rejections.rejects(operation, status: transfer.status, headers: transfer.headers) else {
      // Another user may have more quota left.
      refusals += 1
      if refusals > Self.mostRefusals { end = "a rate limit rejected the requests after the load" }
      return nil
    }
    var response = Response(
      status: transfer.status, headers: [HeaderField](lines: transfer.headerBlock), body: Array(transfer.bodyBytes),
      request: request, sent: transfer.sent - start, answered: transfer.ended - start,
      age: ResponseAge.of(transfer.fields), view: 0)
    recordExchange(transfer, request, operation, &response)
    return response
  }

  private func recordExchange(
    _ transfer: Transfer, _ request: HTTPRequest, _ operation: Int, _ response: inout Response
  ) {
    let entry = RelationRecorder.Response(
      operation: operation, request: request, sent: response.sent, answered: response.answered, fields: transfer.fields,
      session: session, sendsCookies: false)
    response.view = entry.view
    guard request.method == "GET", transfer.status == 200, case .tape(let tape) = parser.parse(transfer.bodyBytes)
    else { return }
    reader.begin()
    reader.read(tape, operation: operation, target: request.target)
    guard reader.subject != .none else { return }
    let pages = recorder.log.pages.count
    recorder.recordResponse(reader, entry) { evidence(response) }
    if recorder.log.pages.count > pages { response.page = pages }
  }

  /// The rows' ids of a page.
  func ids(_ response: Response) -> [Int64] {
    guard response.page >= 0 else { return [] }
    let range = recorder.log.pages[response.page].ids
    return Array(recorder.log.ids[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  func page(_ response: Response) -> RelationLog.Page? { response.page >= 0 ? recorder.log.pages[response.page] : nil }

  func recordReading(_ reading: RelationLog.Reading) { recorder.log.readings.append(reading) }

  /// Records that a rule was tested.
  ///
  /// - Parameter message: the error; nil if the rule is not violated.
  func recordResult(
    _ rule: RelationRule, of operation: Int, _ message: String?, _ response: Response?, after other: Response? = nil,
    severity: Finding.Severity = .error
  ) {
    recorder.log.probes.append(
      RelationLog.Probe(
        operation: Int32(operation), rule: rule, message: message, severity: severity,
        evidence: message == nil ? nil : response.map { evidence($0, after: other) }))
  }

  func recordUnsupported(_ rule: RelationRule, of operation: Int, _ reason: String) {
    recorder.log.lacking[.init(Int32(operation), rule)] = reason
  }
  func recordUntested(_ rule: RelationRule, of operation: Int, _ sample: String) {
    recorder.log.missing[.init(Int32(operation), rule)] = sample
  }
  func recordFields(of operation: Int, _ names: [String], isRow: Bool) {
    var sides = recorder.log.sides[Int32(operation)] ?? RelationLog.Sides()
    if isRow { sides.list.formUnion(names) } else { sides.item.formUnion(names) }
    recorder.log.sides[Int32(operation)] = sides
  }
  func recordText(_ text: String, of hash: UInt64) {
    if recorder.log.texts.count < 20_000 { recorder.log.texts[hash] = mask.masked(text) }
  }
  func number(of request: HTTPRequest) -> Int32 { recorder.keep(request) }

  /// The evidence from one or two responses.
  func evidence(_ response: Response, after other: Response? = nil) -> Evidence {
    let requests = [other?.request, response.request].compactMap(\.self).map(curl)
    let shown = 4_096
    let exchange = Exchange(
      method: response.request.method, url: origin.text + response.request.target,
      requestHeaders: [HeaderField("Host", origin.authority)] + response.request.headers, requestBody: nil,
      status: response.status, responseHeaders: response.headers,
      responseBody: response.body.isEmpty ? nil : String(decoding: response.body, as: UTF8.self),
      responseSize: response.body.count, sent: .nanoseconds(response.sent),
      took: .nanoseconds(response.answered - response.sent))
    var masked = mask.masked(exchange)
    masked.responseBody = masked.responseBody.map { String(decoding: $0.utf8.prefix(shown), as: UTF8.self) }
    return Evidence(exchange: masked, curl: CurlScript([.requests(requests)]).text)
  }

  private func curl(_ request: HTTPRequest) -> CurlRequest {
    var curl = CurlRequest(request, mask, options)
    curl.url = mask.word(origin.text + request.target)
    return curl
  }
}
