import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// One request of a case, before its values are known.
package struct ExploreCall: Sendable, Hashable {
  /// A parameter with its value.
  package struct Named: Sendable, Hashable {
    package var name: String
    package var value: CallValue
  }

  /// A URL, or a path with the base path, in a response.
  package struct Link: Sendable, Hashable {
    var source: CallValue
    var isPath: Bool
  }

  /// The owner of the credentials that a request has.
  package enum Caller: String, Sendable, Hashable {
    case own
    case none
    /// Credentials with a valid form that belong to no user.
    case wrong
    /// The own token under another authentication scheme.
    case wrongScheme
    case other
  }

  /// Index into the contract's operations.
  package var operation: Int
  /// The values of the path parameters by name.
  package var path: [String: CallValue] = [:]
  /// The query parameters in the order of the query.
  package var query: [Named] = []
  /// The header parameters, without credentials.
  package var headers: [Named] = []
  /// The cookie parameters, without credentials.
  package var cookies: [Named] = []
  /// The value of the body before it is written in the operation's media type; nil for none.
  package var body: JSONValue?
  /// The documented media type of the body.
  package var mediaType: String?
  /// Places of the body with values from responses.
  package var references: [JSONPointer: CallValue] = [:]
  /// Places of the body that get a new value in each run.
  package var fresh: [JSONPointer: Freshness] = [:]

  // The deviations from the contract.

  /// Replaces the operation's own method.
  package var method: String?
  /// Replaces the body's text.
  package var rawBody: String?
  /// True if the request has no body although the contract documents one.
  package var leavesOutBody = false
  /// Replaces the body's type; empty for none.
  package var contentType: String?
  /// Appended to the query without changes.
  package var rawQuery: String?
  /// Replaces path and query.
  package var rawTarget: String?
  /// The link in an earlier response that `rawTarget` comes from.
  package var link: Link?
  /// Changes the spelling of the path; nil for the usual one.
  package var spelling: PathSpelling?
  /// The user who sends it.
  package var caller = Caller.own
  /// Counted separately from the operation, because the contract does not define the response to such a request.
  package var isOffContract = false

  init(_ operation: Int) { self.operation = operation }

  /// Without conditions, and without references to items of other collections, that earlier responses would provide.
  /// Values in the path stay.
  var withoutReferences: ExploreCall {
    var copy = self
    copy.headers.removeAll { if case .response = $0.value { true } else { false } }
    copy.references = [:]
    return copy
  }

  /// Without all values that earlier responses or requests would provide, and without a path.
  var independent: ExploreCall {
    var copy = withoutReferences
    copy.path = [:]
    return copy
  }

  /// True if its path has a name that no item had before.
  var takesNewName: Bool { path.values.contains { if case .drawn = $0 { true } else { false } } }

  /// True if the request does not deviate from the form in the contract.
  var isPlain: Bool {
    method == nil && rawBody == nil && contentType == nil && rawQuery == nil && spelling == nil && !leavesOutBody
  }
}

/// The form of a value that is new in each run.
package enum Freshness: Sendable, Hashable {
  case uuid
  case email
  /// A string with at most this many characters.
  case word(most: Int)
  case pattern(String, least: Int, most: Int)
  /// An integer with nine or ten digits.
  case number

  /// Values of the same form: a UUID, hexadecimal digits, or a word.
  init(like text: String) {
    if BodyNames.isUUID(text) {
      self = .uuid
    } else if text.utf8.count >= 8, text.wholeMatch(of: /[0-9a-f]+/) != nil {
      self = .pattern("^[0-9a-f]{\(text.utf8.count)}$", least: text.utf8.count, most: text.utf8.count)
    } else {
      self = .word(most: max(text.count, 15))
    }
  }
}

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
    if let spelling {
      request.target = spelling.target(request.target, template: contract.operations[operation].path)
    }
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

struct PreparedCall: Sendable {
  var call: ExploreCall
  var request: HTTPRequest
  /// The body's value as it is sent.
  var body: JSONValue?
  /// New values of the case up to this request, by name.
  var drawn: [String: JSONValue]
  /// The cookies of earlier responses that it sends.
  var cookies: SentCookies?

  /// Strings that were generated for this request, or their generated parts: a script generates them again.
  var newTexts: [String] {
    let names = drawn.sorted { $0.key < $1.key }.compactMap(\.value.string)
    let members = call.fresh.sorted { $0.key.description < $1.key.description }.compactMap { newPart($0.key, $0.value) }
    return names + members
  }

  /// Places of new values that a script cannot generate.
  var repeatedPlaces: [JSONPointer] {
    call.fresh.filter { body.flatMap($0.key.resolve) != nil && newPart($0.key, $0.value) == nil }.map(\.key)
  }

  private func newPart(_ place: JSONPointer, _ freshness: Freshness) -> String? {
    body.flatMap(place.resolve)?.string.flatMap(freshness.part)
  }
}

extension Freshness {
  /// The new part of a string: a UUID, or the letters after `murphy-`. Nil for values that a shell cannot generate.
  fileprivate func part(of text: String) -> String? {
    let local = text.prefix { $0 != "@" }
    let letters = String(local.suffix(8))
    let areLetters = letters.utf8.count >= 4 && letters.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    switch self {
    case .uuid: return text
    case .email, .word: return areLetters && ("murphy-" + letters).hasSuffix(local) ? letters : nil
    case .pattern, .number: return nil
    }
  }
}
