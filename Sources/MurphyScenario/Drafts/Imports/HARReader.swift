import Foundation
import MurphyContract
import MurphySchema

/// Reads an HTTP Archive (HAR 1.2). The requests to the API become one session, with the pauses of the person who made
/// them.
struct HARReader {
  private let contract: Contract
  private let matcher: OperationMatcher
  private let target: String?

  init(_ contract: Contract, target: String?) {
    self.contract = contract
    matcher = OperationMatcher(contract)
    self.target = target
  }

  private struct Entry {
    var url: URLComponents
    var method: String
    var origin: String
    var request: JSONValue
    var response: JSONValue
    var began: Double
    var took: Double
    /// True if the response came from the browser or from a page's worker. A worker may have sent a request to the API.
    var isLocal: Bool

    /// The request, as text for comparison.
    var asked: String { "\(method) \(url.string ?? "") \(request["postData"]?["text"]?.string ?? "")" }
  }

  /// Shorter pauses come from the browser, not from a person.
  private static let shortest = 0.2

  func recording(_ root: JSONValue) -> Recording {
    var recording = Recording()
    let entries = (root["log"]?["entries"]?.array ?? []).compactMap(entry).sorted { $0.began < $1.began }
    let api = apiOrigin(entries)
    var importer = CallImporter(contract)
    var steps: [DraftedStep] = []
    var assets = 0
    var aborted = 0
    var cookies = false
    var others: [String: Int] = [:]
    var free = entries.first?.began ?? 0
    var calls: [Int] = []
    // A new user has an empty cache. A request that the browser answered from its cache is sent once.
    var asked = Set(entries.filter { !$0.isLocal }.map(\.asked))
    var repeated = 0
    for entry in entries {
      guard entry.origin == api else {
        others[entry.origin, default: 0] += 1
        continue
      }
      guard (entry.response["status"]?.int ?? 0) > 0 else {
        aborted += 1
        continue
      }
      cookies =
        cookies || entry.request["cookies"]?.array?.isEmpty == false
        || (entry.request["headers"]?.array ?? []).contains { $0["name"]?.string?.lowercased() == "cookie" }
      guard isOfAPI(entry) else {
        assets += 1
        continue
      }
      if entry.isLocal, !asked.insert(entry.asked).inserted {
        repeated += 1
        continue
      }
      if !steps.isEmpty, entry.began - free >= Self.shortest { steps.append(.think(Self.time(entry.began - free))) }
      free = max(free, entry.began + entry.took)
      let request = request(entry)
      if let reason = unsendable(request, entry) {
        recording.left.append("\(entry.method) \(request.path): \(reason)")
        continue
      }
      for file in request.parts where file.fileName != nil && file.text?.isEmpty != false {
        recording.left.append("the content of \(file.fileName ?? ""); write the path of a file instead")
      }
      var call = importer.call(request)
      let status = entry.response["status"]?.int ?? 0
      if status >= 400 { call.statuses = [status] }
      calls.append(steps.count)
      steps.append(.call(call))
      if let text = body(of: entry.response), let value = try? JSONValue.parse(Array(text.utf8)) {
        importer.values.recordResponse(value, of: calls.count - 1)
      }
    }
    let base = importer.base
    recording.target = api + base
    // The target already contains the base path.
    steps = steps.withoutBase(base)
    if cookies { recording.left.append("the cookies, because each user stores the cookies that the API sets") }
    if repeated > 0 { recording.left.append(Self.count(repeated) + " that the browser's cache or a worker served") }
    if aborted > 0 { recording.left.append(Self.count(aborted) + " that the browser aborted") }
    for (number, place) in calls.enumerated() {
      guard case .call(var call) = steps[place] else { continue }
      call.saves = importer.values.saves[number] ?? []
      steps[place] = .call(call)
    }
    let name = root["log"]?["pages"]?.array?.first?["title"]?.string ?? ""
    recording.add(name.isEmpty || name.contains("://") ? "recording" : name, steps)
    recording.variables = importer.variables
    if assets > 0 {
      recording.left.append(Self.count(assets) + " for pages, scripts, styles, images and similar files")
    }
    recording.left += others.sorted { $0.key < $1.key }.map { Self.count($0.value) + " to \($0.key)" }
    return recording
  }

  private func entry(_ value: JSONValue) -> Entry? {
    guard let request = value["request"], let text = request["url"]?.string, let url = URLComponents(string: text),
      let host = url.host, let scheme = url.scheme, ["http", "https"].contains(scheme),
      let method = request["method"]?.string?.uppercased(), method != "OPTIONS", method != "CONNECT"
    else { return nil }
    let origin = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    return Entry(
      url: url, method: method, origin: origin, request: request, response: value["response"] ?? .null,
      began: Self.seconds(value["startedDateTime"]?.string ?? ""), took: max((value["time"]?.double ?? 0) / 1000, 0),
      isLocal: value["_fromCache"]?.string != nil || value["response"]?["_fetchedViaServiceWorker"] == true)
  }

  /// The origin of most requests that match the contract. It is the target's own origin if that was recorded.
  private func apiOrigin(_ entries: [Entry]) -> String {
    if let target, let known = entries.first(where: { target.hasPrefix($0.origin) }) { return known.origin }
    var counts: [String: Int] = [:]
    for entry in entries {
      counts[entry.origin, default: 0] += matcher.match(entry.method, entry.url.percentEncodedPath) == nil ? 0 : 1
    }
    return counts.mostFrequent
  }

  /// A request of the API: it matches the contract, it writes, or its response is JSON.
  private func isOfAPI(_ entry: Entry) -> Bool {
    if matcher.match(entry.method, entry.url.percentEncodedPath) != nil { return true }
    let type = entry.response["content"]?["mimeType"]?.string ?? ""
    return !["GET", "HEAD"].contains(entry.method) || type.contains("json")
  }

  private func request(_ entry: Entry) -> RecordedRequest {
    var request = RecordedRequest(method: entry.method, path: entry.url.percentEncodedPath)
    if request.path.isEmpty { request.path = "/" }
    request.query = (entry.url.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    request.headers = (entry.request["headers"]?.array ?? []).compactMap { field in
      guard let name = field["name"]?.string, let value = field["value"]?.string else { return nil }
      return (name, value)
    }
    request.contentType = entry.request["postData"]?["mimeType"]?.string
    request.body = entry.request["postData"]?["text"]?.string
    if let type = request.contentType, type.hasPrefix("multipart/form-data") {
      let listed = RecordedPart.parts(of: entry.request["postData"]?["params"]?.array ?? [])
      request.parts = listed.isEmpty ? RecordedPart.parts(of: request.body ?? "", contentType: type) : listed
      return request
    }
    if request.body?.isEmpty != false, let fields = entry.request["postData"]?["params"]?.array {
      request.body = fields.compactMap { field in
        field["name"]?.string.map { "\(Self.encoded($0))=\(Self.encoded(field["value"]?.string ?? ""))" }
      }.joined(separator: "&")
    }
    return request
  }

  /// The reason why a request cannot be sent again; nil if it can.
  private func unsendable(_ request: RecordedRequest, _ entry: Entry) -> String? {
    if request.contentType?.hasPrefix("multipart/") == true {
      return request.parts.isEmpty ? "the recording does not contain the parts of its multipart body" : nil
    }
    let size = entry.request["bodySize"]?.int ?? 0
    guard
      let note = entry.request["postData"]?["comment"]?.string
        ?? (size > 0 && request.body?.isEmpty != false ? "the body is not in the file" : nil), !note.isEmpty
    else { return nil }
    return "its body was not recorded completely (\(note))"
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  private func body(of response: JSONValue) -> String? {
    guard let text = response["content"]?["text"]?.string else { return nil }
    guard response["content"]?["encoding"]?.string == "base64" else { return text }
    return Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func seconds(_ text: String) -> Double {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return ((try? format.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)))?.timeIntervalSince1970 ?? 0
  }

  private static func count(_ requests: Int) -> String { "\(requests) request\(requests == 1 ? "" : "s")" }

  /// `1.2s`, at most a minute: longer breaks are not replayed.
  private static func time(_ seconds: Double) -> String { Measured.text((min(seconds, 60) * 10).rounded() / 10) + "s" }
}

/// A request of a recording that fits an operation, and its response.
package struct ArchivedExchange {
  /// The index of the operation in the contract.
  package var operation: Int
  /// The parameters of the path.
  package var path: [(name: String, value: String)]
  /// The parameters of the query, in order.
  package var query: [(name: String, value: String)]
  /// The headers of the request.
  package var headers: [(name: String, value: String)]
  /// The media type of the request's body, in lower case; empty without one.
  package var contentType: String
  /// Nil if the request has none. Empty if it is not in the recording.
  package var body: String?
  /// The names of the fields of a form with parts.
  package var parts: [String]
  /// Nil if no response was received.
  package var status: Int?
  /// The names of the response's headers, in lower case.
  package var responseHeaders: [String]
  /// Nil if the response has none. Empty if it is not in the recording.
  package var response: String?
}

extension HARReader {
  /// The exchanges of a recording that fit an operation, and the number of all others.
  func exchanges(_ root: JSONValue) -> (fitting: [ArchivedExchange], others: Int) {
    let entries = (root["log"]?["entries"]?.array ?? []).compactMap(entry)
    let fitting = entries.compactMap { entry -> ArchivedExchange? in
      guard let match = matcher.match(entry.method, entry.url.percentEncodedPath) else { return nil }
      let request = request(entry)
      let isCut = unsendable(request, entry) != nil
      let status = entry.response["status"]?.int ?? 0
      let hasResponse = (entry.response["content"]?["size"]?.int ?? 0) != 0
      return ArchivedExchange(
        operation: match.operation, path: match.values, query: request.query, headers: request.headers,
        contentType: (request.contentType ?? request.typeField ?? "").lowercased(),
        body: isCut ? "" : request.body.flatMap { $0.isEmpty ? nil : $0 }, parts: request.parts.map(\.name),
        status: status > 0 ? status : nil,
        responseHeaders: (entry.response["headers"]?.array ?? []).compactMap { $0["name"]?.string?.lowercased() },
        response: body(of: entry.response) ?? (hasResponse ? "" : nil))
    }
    return (fitting, entries.count - fitting.count)
  }
}

extension ArchivedExchange {
  /// The exchanges of an HTTP Archive that fit an operation of a contract, and the number of all others.
  package static func all(in archive: JSONValue, _ contract: Contract) -> (fitting: [Self], others: Int) {
    HARReader(contract, target: nil).exchanges(archive)
  }

  /// The fields of a form in its body.
  package var form: [(name: String, value: String)] { RecordedRequest.pairs(body ?? "") }
}
