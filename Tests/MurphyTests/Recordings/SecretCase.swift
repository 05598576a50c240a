import Foundation
import Murphy

/// A secret at one place of a request or its response, and how it looks there.
struct SecretCase: Sendable {
  let number: Int
  let label: String
  var headers: [(name: String, value: String)] = []
  var query = ""
  var body: String?
  var type = "application/json"
  var answerHeaders: [(name: String, value: String)] = []
  var answer: String?

  /// Differs in each encoding, and looks like no known token.
  var secret: String { "Zq\(number)/x+Kw=\(number)~Lm\(number)" }
  var path: String { "/c\(number)" }

  private static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  /// What must be in no output: the bytes, percent-encoded, in base64 by itself and behind one and two other bytes.
  var forms: [String] {
    let inner = (0..<3).map { offset in
      let text = Data((String(repeating: "u", count: offset) + secret).utf8).base64EncodedString()
      // The first group and the last one depend on what stands around.
      return String(text.dropFirst(offset == 0 ? 0 : 4).prefix { $0 != "=" }.dropLast())
    }
    return [secret, Self.percent(secret), secret.replacing("/", with: "\\/")] + inner
  }

  /// What the server says again of the secret, under names that tell nothing.
  var echo: String {
    let forms = [
      secret, Self.percent(secret), Data(secret.utf8).base64EncodedString(),
      Data("u:\(secret)!".utf8).base64EncodedString(),
    ]
    let members = forms.enumerated().map { "\"seen\($0)\": \(JSONValue.string($1).text)" }
    return "{\(members.joined(separator: ", "))}"
  }

  private typealias Change = @Sendable (inout SecretCase, _ secret: String) -> Void

  private static let places: [(String, Change)] = inNamedHeaders + inFields + inBodies + inAnswers

  private static let inNamedHeaders: [(String, Change)] = headers.map { name in
    let change: Change = { $0.headers = [(name, $1)] }
    return (name, change)
  }

  private static let inFields: [(String, Change)] = [
    ("bearer", { $0.headers = [("Authorization", "Bearer \($1)")] }),
    ("basic", { $0.headers = [("Authorization", "Basic " + Data("bob:\($1)".utf8).base64EncodedString())] }),
    ("cookie", { $0.headers = [("Cookie", "theme=dark; PHPSESSID=\($1)")] }),
    ("referer", { $0.headers = [("Referer", "https://bob:\(percent($1))@h.example/a")] }),
    ("referer query", { $0.headers = [("Referer", "https://h.example/a?app_key=\(percent($1))")] }),
    ("location", { $0.answerHeaders = [("Location", "https://bob:\(percent($1))@h.example/a")] }),
    ("location code", { $0.answerHeaders = [("Link", "<https://h.example/cb?code=\(percent($1))>; rel=next")] }),
    ("set-cookie", { $0.answerHeaders = [("Set-Cookie", "XSRF-TOKEN=\(percent($1)); Path=/")] }),
    ("session of a response", { $0.answerHeaders = [("X-Session", $1)] }),
    ("query", { $0.query = "?a=1&passcode=\(percent($1))" }),
    ("form", { ($0.body, $0.type) = ("a=1&app_key=\(percent($1))", "application/x-www-form-urlencoded") }),
  ]

  private static let inBodies: [(String, Change)] = [
    (
      "json in a form",
      { ($0.body, $0.type) = ("p=" + percent(#"{"password":"\#($1)"}"#), "application/x-www-form-urlencoded") }
    ),
    ("multipart", { multipart(&$0, "password", $1) }),
    ("json in multipart", { multipart(&$0, "profile", #"{"passcode": "\#($1)"}"#) }),
    ("json", { $0.body = #"{"user": "ann", "passcode": "\#($1)"}"# }),
    ("json member of an object", { $0.body = #"{"password": {"value": "\#($1)"}}"# }),
    ("json list", { $0.body = #"{"secrets": ["\#($1)"]}"# }),
    ("json pair", { $0.body = #"[{"name": "user", "value": "ann"}, {"name": "password", "value": "\#($1)"}]"# }),
    ("json pair by key", { $0.body = #"{"fields": [{"key": "csrf", "value": "\#($1)"}]}"# }),
    ("json twice", { $0.body = #"{"event": \#(JSONValue.string(#"{"password":"\#($1)"}"#).text)}"# }),
    (
      "json three times",
      { $0.body = #"{"a": \#(JSONValue.string(#"{"b": \#(JSONValue.string(#"{"pwd":"\#($1)"}"#).text)}"#).text)}"# }
    ),
    ("json that is a string", { $0.body = JSONValue.string(#"{"password":"\#($1)"}"#).text }),
    ("broken json", { ($0.body, $0.type) = (#"{"a": 1, "password": "\#($1)", "#, "application/json") }),
    ("url in json", { $0.body = #"{"hook": "https://bob:\#(percent($1))@h.example/"}"# }),
    ("pem", { $0.body = JSONValue.object(["note": .string(pem($1))]).text }),
    ("pem in text", { ($0.body, $0.type) = ("see\n" + pem($1), "text/plain") }),
    ("text", { ($0.body, $0.type) = ("the password=\($1) of ann", "text/plain") }),
    ("xml", { xml(&$0, "<login><password>\($1)</password></login>") }),
    ("xml cdata", { xml(&$0, "<login><password><![CDATA[\($1)]]></password></login>") }),
    ("xml namespace", { xml(&$0, #"<s:E xmlns:w="u"><w:Password Type="text">\#($1)</w:Password></s:E>"#) }),
    ("xml attribute", { xml(&$0, #"<login user="ann" password="\#($1)"/>"#) }),
    ("xml pair", { xml(&$0, #"<p><param name="password">\#($1)</param></p>"#) }),
    (
      "xml member",
      { xml(&$0, "<m><name>password</name><value><string>\($1)</string></value></m>") }
    ),
  ]

  private static let inAnswers: [(String, Change)] = [
    ("answer: opaque access", { $0.answer = #"{"access": "\#($1)", "user": {"id": 1}}"# }),
    ("answer: opaque refresh", { $0.answer = #"{"refresh": "\#($1)"}"# }),
    ("answer: csrf", { $0.answer = #"{"csrf": "\#($1)"}"# }),
    ("answer: html form", { $0.answer = #"<form><input type="hidden" name="csrf_token" value="\#($1)"></form>"# }),
    ("answer: html meta", { $0.answer = #"<html><meta name="csrf-token" content="\#($1)"></html>"# }),
    ("answer: script", { $0.answer = #"<script>var csrfToken = '\#($1)';</script>"# }),
  ]

  private static let headers = [
    "X-Auth-Key", "X-Functions-Key", "X-Master-Key", "DD-APPLICATION-KEY", "X-Session", "X-Api-Key", "X-CSRF-Token",
    "X-Acme-Key",
    "Proxy-Password",
  ]

  static let all: [SecretCase] = places.enumerated().map { number, place in
    var copy = SecretCase(number: number + 10, label: place.0)
    place.1(&copy, copy.secret)
    return copy
  }

  private static func multipart(_ place: inout SecretCase, _ name: String, _ value: String) {
    place.type = "multipart/form-data; boundary=xyz"
    place.body =
      ["--xyz", "Content-Disposition: form-data; name=\"a\"", "", "1", "--xyz"].joined(separator: "\r\n") + "\r\n"
      + ["Content-Disposition: form-data; name=\"\(name)\"", "", value, "--xyz--", ""].joined(separator: "\r\n")
  }

  private static func xml(_ place: inout SecretCase, _ text: String) {
    (place.body, place.type) = (text, "application/xml")
  }

  private static func pem(_ secret: String) -> String {
    "-----BEGIN RSA PRIVATE KEY-----\n\(secret)\n-----END RSA PRIVATE KEY-----\n"
  }
}

extension SecretCase {
  static var contract: String {
    let paths = all.map { place in
      "  \(place.path): { post: { operationId: sendCase\(place.number), requestBody: { content: { '*/*': {} } }, responses: { '200': { description: Done } } } }"
    }
    return (["openapi: 3.0.3", "info: { title: Places, version: '1' }", "paths:"] + paths).joined(separator: "\n")
      + "\n"
  }

  /// As a browser records it: nothing is masked.
  var entry: JSONValue {
    func fields(_ pairs: [(name: String, value: String)]) -> JSONValue {
      .array(pairs.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
    }
    var request: JSONObject = [
      "method": "POST", "url": .string("http://api.example" + path + query), "headers": fields(headers),
      "cookies": .array([]),
    ]
    if let body { request["postData"] = .object(["mimeType": .string(type), "text": .string(body)]) }
    let response: JSONObject = [
      "status": 200, "headers": fields(answerHeaders), "cookies": .array([]),
      "content": .object(["mimeType": "application/json", "text": .string(answer ?? echo)]),
    ]
    return .object([
      "startedDateTime": .string("2026-11-25T12:00:\(number).000Z"), "time": 1, "request": .object(request),
      "response": .object(response), "comment": .string("seen: \(Data(secret.utf8).base64EncodedString())"),
    ])
  }
}
