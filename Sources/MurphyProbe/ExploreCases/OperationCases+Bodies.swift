import MurphyContract
import MurphyScenario
import MurphySchema

extension OperationCases {
  /// Cases of the body, one change at a time.
  mutating func bodyCases() -> [ExploreCase] {
    guard let body = call.body, let media else { return malformed() }
    guard let schema = media.schema else { return malformed() }
    var cases = malformed()
    var texts = TextPlaces(contract)
    let isMultipart = media.range.type == "multipart"
    let isForm = media.range.subtype == "x-www-form-urlencoded"
    for trial in trials.trials(of: schema, base: body) {
      // In a form, a number or a boolean is a string, and an empty list has no text.
      let isText = trial.value?.scalarText == nil || trial.pointer.resolve(in: body)?.string != nil
      if isForm, trial.constraint == "type", isText { continue }
      // A form cannot contain null: the field would be absent.
      if isForm || isMultipart, trial.value == .null { continue }
      guard let changed = trial.applied(to: body), trial.pointer.tokens.first != chosenName || chosenName == nil else {
        continue
      }
      let broken = check.mistakes(operation: call.operation, body: changed, contentType: media.range.text)
      // The contract does not define the current version, if the item of another collection exists, nor the target of
      // an address.
      let places = texts.places(of: schema, in: changed)
      let isFree =
        isReference(trial.pointer) || listsItems(trial) || trial.pointer.tokens.last.map(VersionNames.holds) == true
        || places.contains { place in
          place.pointer.tokens.starts(with: trial.pointer.tokens) && place.format.map(Self.addresses.contains) == true
        }
      guard let expectation = Self.expectation(trial.intent, isValid: broken.isEmpty, isHeldToAccept: !isFree) else {
        continue
      }
      let place = trial.pointer.tokens.isEmpty ? "body" : "body \(trial.pointer)"
      cases.append(
        made(
          expectation, expectation == .refused ? .negative : .positive, place,
          Self.constraint(of: trial, broken, places), trial.about, value: trial.value
        ) { $0.change(body: changed, at: trial.pointer) })
    }
    return cases
  }

  /// The media type of the base body.
  private var media: MediaTypePromise? {
    operation.requestBody?.content.first { $0.range.text == call.mediaType }
      ?? operation.requestBody?.content.first { $0.range.admitsJSON }
  }

  private func isReference(_ pointer: JSONPointer) -> Bool {
    call.references.keys.contains { $0.tokens.starts(with: pointer.tokens) || pointer.tokens.starts(with: $0.tokens) }
      || pointer.tokens.last.map(BodyNames.isReference) == true
  }

  /// True for a list with the name of a collection: `users` may contain the names of existing users.
  private func listsItems(_ trial: ValueTrial) -> Bool {
    let isList = trial.pointer.tokens.last.map { Int($0) != nil } ?? false || trial.value?.array != nil
    guard isList, let name = trial.pointer.tokens.last(where: { Int($0) == nil }) else { return false }
    return contract.operations.contains { operation in
      let segments = PathShape(operation.path).segments
      return zip(segments, segments.dropFirst()).contains { $0 == name && $1 == "{}" }
    }
  }

  /// Malformed bodies.
  private func malformed() -> [ExploreCase] {
    guard let described = operation.requestBody else { return [] }
    var cases: [ExploreCase] = []
    if described.isRequired {
      cases.append(
        made(.refused, .negative, "body", "required", "no body") {
          ($0.leavesOutBody, $0.body, $0.references, $0.fresh) = (true, nil, [:], [:])
        })
    }
    guard call.body != nil, media?.range.isJSON == true else { return cases }
    let broken: [(String, String)] = [
      (#"{"murphy": "#, "truncated JSON"), (#"{"murphy": 1,}"#, "JSON with a trailing comma"),
      ("murphy", "an unquoted word instead of JSON"),
    ]
    for (text, about) in broken {
      cases.append(
        made(.refused, .negative, "body", "JSON", about) {
          $0.rawBody = text
          $0.isOffContract = !documents(400)
        })
    }
    let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    cases.append(
      made(.refused, .negative, "body", "JSON", "2,000 nested lists") {
        $0.rawBody = deep
        $0.isOffContract = true
      })
    let takesAll = described.content.contains { $0.range.subtype == "*" }
    for type in ["text/plain", "application/xml"] where !takesAll {
      guard let range = MediaRange(type), !described.content.contains(where: { $0.range.includes(range) }) else {
        continue
      }
      cases.append(
        made(.refused, .negative, "header Content-Type", "media type", "the body as \(type)") {
          $0.contentType = type
          $0.isOffContract = !documents(415)
        })
    }
    return cases
  }

  func documents(_ status: Int) -> Bool {
    operation.responses.contains { promise in
      switch promise.status {
      case .exactly(let known): known == status
      case .hundred(let hundred): hundred == status / 100
      case .any: true
      }
    }
  }
}

extension ValueTrial {
  fileprivate var value: JSONValue? { if case .set(let value) = change { value } else { nil } }
}

extension ExploreCall {
  /// Uses another body, in which nothing at or around `pointer` is generated again.
  mutating func change(body: JSONValue, at pointer: JSONPointer) {
    self.body = body
    func touches(_ place: JSONPointer) -> Bool {
      place.tokens.starts(with: pointer.tokens) || pointer.tokens.starts(with: place.tokens)
    }
    fresh = fresh.filter { !touches($0.key) }
    references = references.filter { !touches($0.key) }
  }
}

extension OperationCases {
  /// The call of other clients: without credentials, with wrong ones, by another user.
  func credentials() -> [ExploreCase] {
    let alternatives = operation.security
    let schemes = alternatives.flatMap(\.schemes).compactMap { contract.securitySchemes[$0] }
    guard !alternatives.isEmpty, alternatives.allSatisfy({ !$0.schemes.isEmpty }),
      schemes.contains(where: { $0.kind != .mutualTLS })
    else { return [] }
    // A request without credentials gets 401 also where the contract documents only 403.
    let isOff = !documents(401)
    func made(_ caller: ExploreCall.Caller, _ about: String) -> ExploreCase {
      var one = self.made(.unauthorised, .auth, "credentials", "security", about) {
        $0.caller = caller
        $0.isOffContract = isOff
      }
      if isOff { one.rule = .undocumentedRejection }
      return one
    }
    var cases = [made(.none, "without credentials"), made(.wrong, "with unknown credentials")]
    if schemes.contains(where: \.isBearer) {
      cases.append(made(.wrongScheme, "with the token as a Basic password"))
    }
    // A documented 403 means that not every user may call it.
    if hasOtherUser, operation.responses.contains(where: { $0.status == .exactly(403) }), base.count > 1 {
      cases.append(
        self.made(.forbidden, .auth, "credentials", "owner", "as another user") { $0.caller = .other })
    }
    return cases
  }

  /// Methods that the path does not document, and headers that no contract forbids.
  func protocolCases() -> [ExploreCase] {
    let shape = PathShape(operation.path)
    let siblings = contract.operations.filter { $0.isDocumented && PathShape($0.path) == shape }
    var cases: [ExploreCase] = []
    if siblings.first?.id == operation.id {
      let taken = Set(siblings.map(\.method))
      for method in ["GET", "PUT", "POST", "PATCH", "DELETE"] where !taken.contains(method) && mayTry(method) {
        var one = made(.methodRefused, .negative, "method", "method", "the undocumented method \(method)") {
          $0.method = method
          $0.isOffContract = true
          if method == "GET" || method == "DELETE" { $0.leavesOutBody = true }
        }
        if operation.method == "GET" { one = one.compared(with: call, by: .unsupportedMethod) }
        cases.append(one)
      }
    }
    if operation.method == "GET" {
      cases.append(
        made(.anything, .negative, "header Accept", "media type", "an unknown response type") {
          $0.headers.append(ExploreCall.Named(name: "Accept", value: .literal("application/x-murphy")))
          $0.isOffContract = true
        })
    }
    if let index = call.headers.firstIndex(where: { $0.name == "If-Match" }) {
      cases.append(
        made(.refused, .negative, "header If-Match", "If-Match", "an ETag that the item never had") {
          $0.headers[index].value = .literal("\"murphy-stale\"")
          $0.isOffContract = !documents(412)
        })
      let isRequired = operation.parameters.contains { $0.name.lowercased() == "if-match" && $0.isRequired }
      if isRequired || documents(428) && operation.responses.contains(where: { $0.status == .exactly(428) }) {
        cases.append(
          made(.refused, .negative, "header If-Match", "required", "If-Match omitted") {
            $0.headers.remove(at: index)
          })
      }
    }
    cases.append(
      made(.anything, .positive, "query", "additional", "an undocumented parameter") {
        $0.rawQuery = "murphy_extra=1"
      })
    return cases
  }
}

extension SecurityScheme {
  fileprivate var isBearer: Bool {
    switch kind {
    case .http(let scheme): scheme == "bearer"
    case .token: true
    case .apiKey, .mutualTLS: false
    }
  }
}
