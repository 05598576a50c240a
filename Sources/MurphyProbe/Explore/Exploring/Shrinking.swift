import MurphyModel
import MurphySchema

/// Requests that are slightly smaller than a given one.
enum Shrinking {
  /// The maximum number of requests for one finding.
  static let most = 40
  private static let shortest = 16

  /// True if the finding depends on the content of the request, and not on its sender.
  static func helps(_ kind: FindingKind) -> Bool {
    switch kind {
    case .exploreServerError, .exploreInternals, .exploreNoAnswer, .exploreInvalidAccepted: true
    default: false
    }
  }

  /// Each without one part; the largest steps first.
  static func steps(of one: ExploreCase) -> [ExploreCase] {
    var smaller: [ExploreCall] = []
    func add(_ change: (inout ExploreCall) -> Void) {
      var call = one.call
      change(&call)
      if call != one.call { smaller.append(call) }
    }
    let isAlone = one.category != .pairs && one.category != .random
    for named in one.call.query where !(isAlone && one.place == "query \(named.name)") {
      add { $0.query.removeAll { $0.name == named.name } }
    }
    for named in one.call.headers where !(isAlone && one.place == "header \(named.name)") {
      add { $0.headers.removeAll { $0.name == named.name } }
    }
    if let body = one.call.body {
      let kept = isAlone && one.place.hasPrefix("body ") ? JSONPointer(String(one.place.dropFirst(5))) : nil
      for pointer in places(in: body) where kept.map({ !touches($0, pointer) }) ?? true {
        guard let less = body.replacing(at: pointer.tokens[...], with: nil) else { continue }
        add { $0.change(body: less, at: pointer) }
      }
      // The tested value stays as the finding states it.
      for pointer in places(in: body) where pointer != kept {
        guard case .string(let text)? = pointer.resolve(in: body), text.count > shortest,
          let less = body.replacing(at: pointer.tokens[...], with: .string(String(text.prefix(text.count / 2))))
        else { continue }
        add { $0.change(body: less, at: pointer) }
      }
    }
    return smaller.map { call in
      var copy = one
      copy.call = call
      return copy
    }
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
