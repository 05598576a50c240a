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
    for trial in trials.trials(of: schema, base: body) {
      guard let changed = trial.applied(to: body), trial.pointer.tokens.first != chosenName || chosenName == nil else {
        continue
      }
      let broken = check.mistakes(operation: call.operation, body: changed, contentType: media.range.text)
      // The contract does not define if the item of another collection exists, nor the target of an address.
      let places = texts.places(of: schema, in: changed)
      let isFree =
        isReference(trial.pointer)
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
