import MurphyContract
import MurphyModel
import MurphySchema

/// Requests that are slightly smaller than a given request. The description of its case is still true for them.
struct Shrinking {
  /// The maximum number of requests for one finding.
  static let most = 40
  private static let shortest = 16

  /// The base of the cases; nil if it has other steps.
  private let base: ExploreCall?
  private let check: RequestCheck
  private let operation: Contract.Operation
  /// The violated rules of the contract. A smaller request must violate at least one of them.
  private let broken: Set<String>

  /// - Parameter base: the steps of a request of the operation without the changes of the case; nil if not known.
  init(_ one: ExploreCase, base: [ExploreCall]?, _ contract: Contract) {
    self.base = base?.dropLast() == one.steps.dropLast() ? base?.last : nil
    let operation = contract.operations[one.call.operation]
    let check = RequestCheck(contract, operations: [one.call.operation])
    (self.operation, self.check) = (operation, check)
    let own = one.expectation == .refused ? Self.broken(one.call, operation, check) : []
    broken = own.subtracting(base?.last.map { Self.broken($0, operation, check) } ?? [])
  }

  /// True if the finding depends on the content of the request, and not on its sender.
  static func helps(_ kind: FindingKind) -> Bool {
    switch kind {
    case .exploreServerError, .exploreInternals, .exploreNoResponse, .exploreInvalidAccepted: true
    default: false
    }
  }

  /// Each without one change or one part; the largest steps first.
  func steps(of one: ExploreCase) -> [ExploreCase] {
    // The minimal request has no part that it does not need.
    guard !one.place.isEmpty, one.call.rawBody == nil else { return [] }
    return (reverted(one) + shortened(one)).filter { smaller in
      broken.isEmpty || !broken.isDisjoint(with: Self.broken(smaller.call, operation, check))
    }
  }

  /// The rules of the contract that the values of a request violate.
  private static func broken(
    _ call: ExploreCall, _ operation: Contract.Operation, _ check: RequestCheck
  ) -> Set<String> {
    let locations: [(OperationSummary.Parameter.Location, [ExploreCall.Named])] = [
      (.query, call.query), (.header, call.headers), (.cookie, call.cookies),
      (.path, call.path.map { ExploreCall.Named(name: $0.key, value: $0.value) }),
    ]
    var found: [ContractViolation] = []
    for (location, values) in locations {
      for one in values {
        guard let value = one.value.literal else { continue }
        found += check.mistakes(operation: call.operation, parameter: one.name, in: location, value)
      }
    }
    if let body = call.body, !call.leavesOutBody, let type = call.mediaType {
      found += check.mistakes(operation: call.operation, body: body, contentType: type)
    }
    return Set(found.map { $0.schemaPointer ?? $0.rule })
  }

  /// Each with the value of the base in place of one of several changes.
  private func reverted(_ one: ExploreCase) -> [ExploreCase] {
    guard let base, one.changes.count > 1 else { return [] }
    return one.changes.compactMap { change in
      guard let call = one.call.reverting(change.place, to: base), call != one.call else { return nil }
      return one.smaller(call, without: change.place)
    }
  }

  /// Each without one part, or with a shorter text.
  private func shortened(_ one: ExploreCase) -> [ExploreCase] {
    var smaller: [ExploreCase] = []
    func add(at place: String, isRemoved: Bool = true, _ change: (inout ExploreCall) -> Void) {
      var call = one.call
      change(&call)
      guard call != one.call else { return }
      let changed = isRemoved ? one.smaller(call, without: place) : one.smaller(call, changedAt: place)
      if let changed { smaller.append(changed) }
    }
    // The tested value stays as the finding states it.
    let kept = one.changes.isEmpty ? one.place : nil
    for named in one.call.query where kept != "query \(named.name)" {
      add(at: "query \(named.name)") { $0.query.removeAll { $0.name == named.name } }
    }
    for named in one.call.headers where kept != "header \(named.name)" {
      add(at: "header \(named.name)") { $0.headers.removeAll { $0.name == named.name } }
    }
    guard let body = one.call.body, !one.changes.contains(where: { $0.place == "body" }) else { return smaller }
    let tested = kept.flatMap { $0.hasPrefix("body ") ? JSONPointer(String($0.dropFirst(5))) : nil }
    let places = Self.places(in: body).filter { pointer in
      kept != "body" && tested.map { !Self.touches($0, pointer) } ?? true
    }
    for pointer in places {
      guard let less = body.replacing(at: pointer.tokens[...], with: nil) else { continue }
      add(at: "body \(pointer)") { $0.change(body: less, at: pointer) }
    }
    for pointer in places {
      guard case .string(let text)? = pointer.resolve(in: body), text.count > Self.shortest,
        let less = body.replacing(at: pointer.tokens[...], with: .string(String(text.prefix(text.count / 2))))
      else { continue }
      add(at: "body \(pointer)", isRemoved: false) { $0.change(body: less, at: pointer) }
    }
    return smaller
  }

  private static func touches(_ left: JSONPointer, _ right: JSONPointer) -> Bool {
    left.tokens.starts(with: right.tokens) || right.tokens.starts(with: left.tokens)
  }

  /// Fields and items, outer ones first.
  private static func places(in body: JSONValue) -> [JSONPointer] {
    var places: [JSONPointer] = []
    func visit(_ value: JSONValue, _ pointer: JSONPointer) {
      guard pointer.tokens.count < 4, places.count < 60 else { return }
      let inner: [(String, JSONValue)] =
        switch value {
        case .object(let object): object.members.map { ($0.key, $0.value) }
        case .array(let items): items.enumerated().map { (String($0.offset), $0.element) }
        default: []
        }
      for (name, value) in inner {
        places.append(pointer.appending(name))
        visit(value, pointer.appending(name))
      }
    }
    visit(body, .root)
    return places.sorted { $0.tokens.count < $1.tokens.count }
  }
}

extension ExploreCase {
  /// The case with another last request, in which nothing is left of the changes at a place.
  ///
  /// - Parameter place: `query limit`, or a part of a body that contains the changed places or belongs to one.
  /// - Returns: nil if no change is left.
  func smaller(_ call: ExploreCall, without place: String) -> ExploreCase? {
    var copy = self
    copy.changes.removeAll { $0.place == place || $0.place.hasPrefix(place + "/") }
    guard changes.isEmpty || !copy.changes.isEmpty else { return nil }
    return copy.smaller(call, changedAt: place)
  }

  /// The case with another last request: changes that contain the place are described by their new value.
  func smaller(_ call: ExploreCall, changedAt place: String) -> ExploreCase? {
    var copy = self
    copy.call = call
    for index in copy.changes.indices where (place + "/").hasPrefix(copy.changes[index].place + "/") {
      let pointer = JSONPointer(String(copy.changes[index].place.dropFirst(5)))
      guard let value = pointer.flatMap({ pointer in call.body.flatMap { pointer.resolve(in: $0) } }) else { continue }
      copy.changes[index].about = "the value \(Self.shortened(value))"
    }
    if !copy.changes.isEmpty { copy.about = Self.about(copy.changes) }
    return copy
  }

  /// One or more changes: `query limit: just above maximum 25; body /name: a NUL character`.
  static func about(_ changes: [Change]) -> String {
    changes.map { "\($0.place): \($0.about)" }.joined(separator: "; ")
  }
}

extension ExploreCall {
  /// The call with the value of another call at a place; nil for a part of the request that has no values.
  fileprivate func reverting(_ place: String, to base: ExploreCall) -> ExploreCall? {
    let words = place.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    let name = words[1]
    func set(_ own: inout [Named], _ bases: [Named]) {
      own = own.filter { $0.name != name } + bases.filter { $0.name == name }
    }
    var call = self
    switch words[0] {
    case "path": call.path[name] = base.path[name]
    case "query": set(&call.query, base.query)
    case "header": set(&call.headers, base.headers)
    case "cookie": set(&call.cookies, base.cookies)
    default:
      guard let pointer = JSONPointer(name), let body = call.body, let first = base.body,
        let reverted = body.replacing(at: pointer.tokens[...], with: pointer.resolve(in: first))
      else { return nil }
      call.change(body: reverted, at: pointer)
      for (place, value) in base.fresh where place.tokens.starts(with: pointer.tokens) { call.fresh[place] = value }
      for (place, value) in base.references where place.tokens.starts(with: pointer.tokens) {
        call.references[place] = value
      }
    }
    return call
  }
}
