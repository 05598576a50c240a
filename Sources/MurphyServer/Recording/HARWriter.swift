import Foundation
import MurphyModel
import MurphyScenario
import MurphySchema

/// Writes a recording as an HTTP Archive (HAR 1.2): http://www.softwareishard.com/blog/har-12-spec/
package struct HARWriter {
  /// The version of murphy.
  private let version: String

  package init(version: String) { self.version = version }

  /// The archive, without any secret.
  package func text(_ content: RecordedSession.Content) -> String {
    let exchanges = content.exchanges.sorted { $0.began < $1.began }
    var log: JSONObject = [
      "version": "1.2", "creator": .object(["name": "murphy record", "version": .string(version)]),
      "entries": .array(exchanges.map { entry($0, content.origin) }),
    ]
    if content.dropped > 0 { log["comment"] = .string("\(content.dropped) exchanges did not fit into the recording") }
    return ArchiveMask.masked(.object(["log": .object(log)])).pretty + "\n"
  }

  private func entry(_ exchange: RecordedExchange, _ origin: String) -> JSONValue {
    let milliseconds = JSONValue((exchange.took / .milliseconds(1) * 1000).rounded() / 1000)
    var entry: JSONObject = [
      "startedDateTime": .string(
        exchange.began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
      "time": milliseconds, "request": .object(request(exchange, origin)), "response": .object(response(exchange)),
      "cache": .object([:]),
      "timings": .object(["send": 0, "wait": milliseconds, "receive": 0]),
    ]
    if let failure = exchange.failure { entry["comment"] = .string(failure) }
    return .object(entry)
  }

  private func request(_ exchange: RecordedExchange, _ origin: String) -> JSONObject {
    var request: JSONObject = [
      "method": .string(exchange.method), "url": .string(origin + exchange.target), "httpVersion": "HTTP/1.1",
      "cookies": cookies("cookie", exchange.requestHeaders), "headers": headers(exchange.requestHeaders),
      "queryString": query(exchange.target), "headersSize": -1, "bodySize": JSONValue(exchange.requestBody.wireSize),
    ]
    let body = exchange.requestBody
    if body.wireSize > 0 {
      var data: JSONObject = ["mimeType": .string(body.type), "text": .string(body.text ?? "")]
      if let note = body.note { data["comment"] = .string(note) }
      request["postData"] = .object(data)
    }
    return request
  }

  private func response(_ exchange: RecordedExchange) -> JSONObject {
    let body = exchange.responseBody
    var content: JSONObject = ["size": JSONValue(body.size), "mimeType": .string(body.type)]
    if let text = body.text { content["text"] = .string(text) }
    if let note = body.note { content["comment"] = .string(note) }
    return [
      "status": JSONValue(exchange.status), "statusText": "", "httpVersion": "HTTP/1.1",
      "cookies": cookies("set-cookie", exchange.responseHeaders), "headers": headers(exchange.responseHeaders),
      "content": .object(content),
      "redirectURL": .string(ProxyFields.value("location", of: exchange.responseHeaders) ?? ""), "headersSize": -1,
      "bodySize": JSONValue(body.wireSize),
    ]
  }

  private func pair(_ name: String, _ value: String) -> JSONValue {
    .object(["name": .string(name), "value": .string(value)])
  }

  private func headers(_ fields: [HeaderField]) -> JSONValue { .array(fields.map { pair($0.name, $0.value) }) }

  private func query(_ target: String) -> JSONValue {
    .array((URLComponents(string: target)?.queryItems ?? []).map { pair($0.name, $0.value ?? "") })
  }

  /// - Parameter name: of the header; `Cookie` contains several cookies, `Set-Cookie` one and its attributes.
  private func cookies(_ name: String, _ fields: [HeaderField]) -> JSONValue {
    let texts = fields.filter { $0.name.lowercased() == name }.flatMap { field in
      field.value.split(separator: ";").prefix(name == "cookie" ? .max : 1)
    }
    return .array(
      texts.map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        return pair(parts.first ?? "", parts.count > 1 ? parts[1] : "")
      })
  }
}
