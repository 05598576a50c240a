import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema

/// The findings of an exploration as steps of a scenario. Each finding has a session, which fails until the API is
/// fixed.
package struct ExploredSteps {
  /// A session of a scenario for each finding.
  package private(set) var sessions: [(name: String, steps: [DraftedStep])] = []
  /// Findings that steps cannot reproduce, and the reason.
  package private(set) var left: [String] = []
  private let contract: Contract
  private var random: RandomSource

  /// - Parameter judged: findings of the run's own judges.
  package init(_ setting: ExploreConfiguration, _ board: ExploreState, judged: [Finding]) {
    contract = setting.contract
    random = RandomSource(seed: setting.seed)
    let found = board.found.filter { $0.finding.severity > .note }.map {
      (finding: $0.finding, calls: $0.steps as [ExploreCall]?)
    }
    let others = judged.map { (finding: $0, calls: $0.evidence?.curl.flatMap(board.calls)) }
    for (number, one) in (found + others).enumerated() {
      let subject = [one.finding.operation, one.finding.kind.name].compactMap(\.self).joined(separator: " ")
      let name = "\(number + 1) \(subject)"
      guard let calls = one.calls else {
        left.append("\(name): no single request reproduces the finding")
        continue
      }
      if let steps = steps(calls, expecting: Self.statuses(one.finding.kind), one.finding.message) {
        sessions.append((name, steps))
      } else {
        left.append("\(name): no scenario step can send such a request")
      }
    }
  }

  /// The allowed statuses of the last response; empty if a status does not show the finding.
  private static func statuses(_ kind: FindingKind) -> [String] {
    switch kind {
    case .exploreServerError, .exploreNoResponse: ["2XX", "3XX", "4XX"]
    case .exploreInvalidAccepted, .exploreAuthIgnored, .exploreOtherUser, .exploreUndocumentedMethod,
      .exploreUseAfterDelete:
      ["4XX"]
    case .exploreValidRefused, .exploreNotThere: ["2XX"]
    case .exploreNotDeleted: ["404", "410"]
    default: []
    }
  }

  /// Nil for requests that the language cannot write.
  private mutating func steps(
    _ calls: [ExploreCall], expecting statuses: [String], _ message: String
  ) -> [DraftedStep]? {
    var saved: [Int: [(place: ResponsePlace, name: String)]] = [:]
    var drawn: [String] = []
    for call in calls {
      for source in call.sources {
        guard case .response(let step, let place) = source else { continue }
        if saved[step]?.contains(where: { $0.place == place }) != true {
          saved[step, default: []].append((place, "value\(saved.values.reduce(1) { $0 + $1.count })"))
        }
      }
      let names = call.path.sorted { $0.key < $1.key }.map(\.value)
      for case .drawn(let name) in names + (call.query + call.headers + call.cookies).map(\.value)
      where !drawn.contains(name) {
        drawn.append(name)
      }
    }
    func value(_ source: CallValue) -> DraftedValue? {
      switch source {
      case .literal(let value): .constant(value)
      case .drawn(let name): drawn.firstIndex(of: name).map { .variable("drawn\($0 + 1)") }
      case .response(let step, let place): saved[step]?.first { $0.place == place }.map { .variable($0.name) }
      case .sent: nil
      }
    }
    var steps = drawn.indices.map { DraftedStep.set(name: "drawn\($0 + 1)", expression: "uuid()") }
    for (index, call) in calls.enumerated() {
      guard var drafted = drafted(call, value) else { return nil }
      for (place, name) in saved[index] ?? [] {
        guard let source = Self.source(place) else { return nil }
        drafted.saves.append(DraftedSave(name: name, source: source))
      }
      if index == calls.count - 1 { (drafted.only, drafted.comment) = (statuses, message) }
      steps.append(.call(drafted))
    }
    return steps
  }

  private static func source(_ place: ResponsePlace) -> DraftedSave.Source? {
    switch place {
    case .body(let pointer):
      .body("$" + pointer.tokens.map { Int($0) != nil ? "[\($0)]" : "['\($0.escaping(["'": "\\'"]))']" }.joined())
    case .header(let name): .header(name)
    case .location: nil
    }
  }

  private mutating func drafted(_ call: ExploreCall, _ value: (CallValue) -> DraftedValue?) -> DraftedCall? {
    guard call.caller == .own, call.method == nil, call.rawQuery == nil, call.rawTarget == nil, call.spelling == nil
    else { return nil }
    var drafted = DraftedCall(operation: contract.operations[call.operation].id)
    func pairs(_ named: [ExploreCall.Named]) -> [(name: String, value: DraftedValue)]? {
      let pairs = named.compactMap { one in value(one.value).map { (one.name, $0) } }
      return pairs.count == named.count ? pairs : nil
    }
    let path = call.path.sorted { $0.key < $1.key }.map { ExploreCall.Named(name: $0.key, value: $0.value) }
    guard let path = pairs(path), let query = pairs(call.query), let headers = pairs(call.headers),
      let cookies = pairs(call.cookies)
    else { return nil }
    (drafted.path, drafted.query, drafted.headers, drafted.cookies) = (path, query, headers, cookies)
    if let raw = call.rawBody {
      drafted.body = .text(raw.literal, contentType: call.contentType ?? call.mediaType)
    } else if let body = call.body, !call.leavesOutBody {
      guard call.mediaType.flatMap({ MediaRange($0) })?.isJSON ?? true, let written = written(body, call, value) else {
        return nil
      }
      drafted.body =
        call.contentType.map { .text(written.text, contentType: $0) }
        ?? .json(written, contentType: call.mediaType == "application/json" ? nil : call.mediaType)
    }
    return drafted
  }

  /// The body with the language's expressions for new values, and for values from responses.
  private mutating func written(
    _ body: JSONValue, _ call: ExploreCall, _ value: (CallValue) -> DraftedValue?
  ) -> JSONValue? {
    var written = body.literal
    for (place, freshness) in call.fresh where place.resolve(in: written) != nil {
      let text: JSONValue? =
        switch freshness {
        case .uuid: "${uuid()}"
        case .email: "${email()}"
        case .number: "${int(100000000, 2000000000)}"
        case .word(let most): most >= 15 ? "murphy ${string(8)}" : nil
        case .pattern: freshness.value(&random)?.literal
        }
      if let text { written = written.replacing(at: place.tokens[...], with: text) ?? written }
    }
    for (place, source) in call.references where place.resolve(in: written) != nil {
      guard case .variable(let name)? = value(source) else { return nil }
      written = written.replacing(at: place.tokens[...], with: .string("${\(name)}")) ?? written
    }
    return written
  }
}
