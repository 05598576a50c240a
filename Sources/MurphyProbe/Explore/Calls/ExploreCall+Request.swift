import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphySchema

extension ExploreCall {
  /// The body with the values of this run.
  ///
  /// - Returns: nil for a call without one, and if the value of a place is unknown.
  func body(_ value: (CallValue) -> JSONValue?, random: inout RandomSource) -> JSONValue? {
    guard var body, !leavesOutBody else { return nil }
    for (place, freshness) in fresh.sorted(by: { $0.key.description < $1.key.description }) {
      guard place.resolve(in: body) != nil, let new = freshness.value(&random) else { continue }
      body = body.replacing(at: place.tokens[...], with: new) ?? body
    }
    for (place, source) in references where place.resolve(in: body) != nil {
      guard let known = value(source) else { return nil }
      body = body.replacing(at: place.tokens[...], with: known) ?? body
    }
    return body
  }

  /// The request as it is sent.
  ///
  /// - Throws: a `RequestError` for values that the contract cannot write, and for values that no response provided.
  func request(
    _ contract: Contract, body: JSONValue?, credentials: Credentials, value: (CallValue) -> JSONValue?
  ) throws(RequestError) -> HTTPRequest {
    func known(_ source: CallValue, _ name: String) throws(RequestError) -> JSONValue {
      guard let value = value(source) else { throw RequestError("no response contained a value for \(name)") }
      return value
    }
    func pairs(_ named: [Named]) throws(RequestError) -> [(String, JSONValue)] {
      var pairs: [(String, JSONValue)] = []
      for one in named { pairs.append((one.name, try known(one.value, one.name))) }
      return pairs
    }
    var call = OperationCall(operation: operation)
    call.stream = StreamPatience(time: .milliseconds(200))
    for (name, source) in path { call.path[name] = try known(source, name) }
    call.query = try pairs(query)
    call.headers = try pairs(headers)
    call.cookies = try pairs(cookies)
    if let rawBody {
      call.body = .bytes(contentType: contentType ?? mediaType ?? "application/json", Array(rawBody.utf8))
    } else if let body {
      let written = try contract.body(operation: operation, body, contentType: mediaType)
      call.body = .bytes(contentType: contentType ?? written.contentType, written.bytes)
    }
    var request = try call.request(contract, credentials: credentials)
    if contentType == "" { request.headers.removeAll { $0.name.lowercased() == "content-type" } }
    if let method { request.method = method }
    if let rawTarget { request.target = rawTarget }
    if let rawQuery { request.target += (request.target.contains("?") ? "&" : "?") + rawQuery }
    return request
  }
}

extension Freshness {
  func value(_ random: inout RandomSource) -> JSONValue? {
    switch self {
    case .uuid: return .string(random.uuid())
    case .number: return JSONValue(Int(100_000_000 + random.next() % 1_900_000_000))
    case .email: return .string("murphy-\(Self.letters(8, &random))@example.com")
    case .word(let most): return .string(String("murphy-\(Self.letters(8, &random))".suffix(most)))
    case .pattern(let pattern, let least, let most):
      let stream = RandomSource(seed: random.next())
      return PatternSample.text(pattern, lengths: least...most, random: stream).map { .string($0) }
    }
  }

  private static func letters(_ count: Int, _ random: inout RandomSource) -> String {
    String((0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
  }
}
