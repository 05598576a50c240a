import Foundation
import MurphySchema

/// What a page sent and got, made of the events of the protocol's Network domain, as "Save all as HAR" of the developer tools
/// writes it (devtools-frontend, `models/har/Log.ts`): with the browser's own fields, preflight requests, and requests that
/// were given up.
struct NetworkArchive {
  /// One request, or one hop of a redirected one.
  private struct Exchange {
    var id: String
    var request: JSONValue
    var sentHeaders: JSONValue?
    var response: JSONValue?
    var receivedHeaders: JSONValue?
    var error: String?
    var isCached = false
    var size = 0
    var wire = 0
    var wallTime: Double
    var began: Double
    var ended: Double?
    var kind: String
    var initiator: JSONValue
    var body: JSONValue?
    var postData: String?
  }

  /// Without cookies and credentials, as Chromium exports by default since version 130.
  private let isSanitized: Bool
  private var exchanges: [Exchange] = []
  private var title = ""

  /// - Parameter ask: the protocol's response to a command about one request; nil where it has none.
  init(_ events: [JSONValue], isSanitized: Bool, _ ask: (_ method: String, _ request: String) -> JSONValue?) {
    self.isSanitized = isSanitized
    for event in events {
      guard let parameters = event["params"], let id = parameters["requestId"]?.string else { continue }
      note(event["method"]?.string ?? "", parameters, id)
    }
    for index in exchanges.indices {
      let id = exchanges[index].id
      if exchanges[index].request["hasPostData"] == true {
        exchanges[index].postData = ask("Network.getRequestPostData", id)?["postData"]?.string
      }
      exchanges[index].body = ask("Network.getResponseBody", id)
    }
  }

  private mutating func note(_ method: String, _ event: JSONValue, _ id: String) {
    let last = exchanges.lastIndex { $0.id == id }
    func change(_ body: (inout Exchange) -> Void) { if let last { body(&exchanges[last]) } }
    switch method {
    case "Network.requestWillBeSent":
      if let redirect = event["redirectResponse"] {
        change {
          $0.response = redirect
          $0.ended = event["timestamp"]?.double
        }
      }
      exchanges.append(
        Exchange(
          id: id, request: event["request"] ?? .null, wallTime: event["wallTime"]?.double ?? 0,
          began: event["timestamp"]?.double ?? 0, kind: (event["type"]?.string ?? "other").lowercased(),
          initiator: event["initiator"] ?? .null))
    case "Network.requestWillBeSentExtraInfo": change { $0.sentHeaders = event["headers"] }
    case "Network.responseReceivedExtraInfo": change { $0.receivedHeaders = event["headers"] }
    case "Network.requestServedFromCache": change { $0.isCached = true }
    case "Network.responseReceived":
      change {
        $0.response = event["response"]
        $0.isCached = $0.isCached || event["response"]?["fromDiskCache"] == true
      }
    case "Network.dataReceived": change { $0.size += event["dataLength"]?.int ?? 0 }
    case "Network.loadingFinished":
      change {
        $0.ended = event["timestamp"]?.double
        $0.wire = event["encodedDataLength"]?.int ?? 0
      }
    case "Network.loadingFailed":
      change {
        $0.ended = event["timestamp"]?.double
        $0.error = event["errorText"]?.string
      }
    default: break
    }
  }

  var archive: JSONValue {
    let page: JSONValue = [
      "startedDateTime": .string(Self.time(exchanges.first?.wallTime ?? 0)), "id": "page_1",
      "title": exchanges.first?.request["url"] ?? "", "pageTimings": ["onContentLoad": 1, "onLoad": 1],
    ]
    return [
      "log": [
        "version": "1.2", "creator": ["name": "WebInspector", "version": "537.36"], "pages": .array([page]),
        "entries": .array(exchanges.map(entry)),
      ]
    ]
  }

  private func entry(_ exchange: Exchange) -> JSONValue {
    let took = JSONValue(max(((exchange.ended ?? exchange.began) - exchange.began) * 1000, 0))
    var entry: JSONObject = [
      "_initiator": ["type": exchange.initiator["type"] ?? "other"], "_resourceType": .string(exchange.kind),
      "cache": .object([:]), "pageref": "page_1", "request": request(exchange), "response": response(exchange),
      "serverIPAddress": exchange.response?["remoteIPAddress"] ?? "",
      "startedDateTime": .string(Self.time(exchange.wallTime)), "time": took,
      "timings": ["blocked": -1, "dns": -1, "ssl": -1, "connect": -1, "send": 0, "wait": took, "receive": 0],
    ]
    if exchange.isCached { entry["_fromCache"] = "disk" }
    return .object(entry)
  }

  private func request(_ exchange: Exchange) -> JSONValue {
    let headers = headers(exchange.sentHeaders ?? exchange.request["headers"])
    let url = exchange.request["url"]?.string ?? ""
    let query = (URLComponents(string: url)?.percentEncodedQueryItems ?? []).map { item -> JSONValue in
      ["name": .string(item.name), "value": .string(item.value ?? "")]
    }
    var request: JSONObject = [
      "method": exchange.request["method"] ?? "GET", "url": .string(url),
      "httpVersion": exchange.response?["protocol"] ?? "", "headers": .array(headers), "queryString": .array(query),
      "cookies": .array([]), "headersSize": -1, "bodySize": JSONValue(exchange.postData?.utf8.count ?? 0),
    ]
    if let text = exchange.postData {
      let type = headers.first { $0["name"]?.string?.lowercased() == "content-type" }?["value"]
      request["postData"] = ["mimeType": type ?? "", "text": .string(text)]
    }
    return .object(request)
  }

  private func response(_ exchange: Exchange) -> JSONValue {
    // A preflight's response is known, and one that failed after its head is not.
    let answer = exchange.error == nil ? exchange.response : nil
    var content: JSONObject = [
      "size": JSONValue(exchange.size), "mimeType": answer?["mimeType"] ?? "x-unknown",
    ]
    if answer != nil, let body = exchange.body {
      content["text"] = body["body"] ?? ""
      if body["base64Encoded"] == true { content["encoding"] = "base64" }
    }
    let headers = headers(answer == nil ? nil : exchange.receivedHeaders ?? answer?["headers"])
    var response: JSONObject = [
      "status": answer?["status"] ?? 0, "statusText": answer?["statusText"] ?? "",
      "httpVersion": answer?["protocol"] ?? "", "headers": .array(headers), "cookies": .array([]),
      "content": .object(content),
      "redirectURL": headers.first { $0["name"]?.string?.lowercased() == "location" }?["value"] ?? "",
      "headersSize": -1, "bodySize": answer == nil ? -1 : 0, "_transferSize": JSONValue(exchange.wire),
    ]
    response["_error"] = exchange.error.map { .string($0) } ?? .null
    return .object(response)
  }

  private func headers(_ value: JSONValue?) -> [JSONValue] {
    (value?.object?.members ?? []).filter { field in
      !isSanitized || !["cookie", "set-cookie", "authorization"].contains(field.key.lowercased())
    }.map { ["name": .string($0.key), "value": $0.value] }
  }

  private static func time(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
