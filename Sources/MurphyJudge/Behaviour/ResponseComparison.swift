import MurphyModel
import MurphySchema

/// The differences between two responses to the same request.
struct ResponseComparison {
  let operation: String
  let map: IdentityMap
  /// What two runs of the base taught; nothing while two runs of the base are compared.
  let noise: BehaviourNoise
  private(set) var differences: [BehaviourDifference] = []
  /// Places where the values are ids of the same item, but not equal: the ids of the base.
  private(set) var mapped: [BehaviourPlace: Set<String>] = [:]

  private static let shown = 120

  init(_ operation: String, _ map: IdentityMap, _ noise: BehaviourNoise) {
    (self.operation, self.map, self.noise) = (operation, map, noise)
  }

  mutating func compare(_ base: RecordedMessage, _ candidate: RecordedMessage) {
    if base.status != candidate.status {
      let texts = [base, candidate].map { $0.status.map(String.init) ?? "no response" }
      differences.append(
        BehaviourDifference(
          place: .status(operation), aspect: .status, change: "\(texts[0]) → \(texts[1])", base: texts[0],
          candidate: texts[1]))
      // The bodies of a success and of an error have nothing in common.
      guard base.isSuccess, candidate.isSuccess else { return }
    }
    compareHeaders(base, candidate)
    switch (base.body, candidate.body) {
    case (.cut, _), (_, .cut), (.none, .none): break
    case (.json(let left), .json(let right)): compare(left, right, Path())
    case (.text(let left), .text(let right)): compare(.string(left), .string(right), Path())
    case (.none, _): add(.presence, Path(), "new", nil, "a body")
    case (_, .none): add(.presence, Path(), "missing", "a body", nil)
    case (.json, .text), (.text, .json):
      let words = [base, candidate].map { if case .json = $0.body { "JSON" } else { "no JSON" } }
      add(.type, Path(), "\(words[0]) → \(words[1])", words[0], words[1])
    }
  }

  private mutating func compareHeaders(_ base: RecordedMessage, _ candidate: RecordedMessage) {
    let values = [base, candidate].map { Dictionary($0.headers) { first, _ in first } }
    for name in Set(values[0].keys).union(values[1].keys).sorted() {
      let place = BehaviourPlace.header(operation, name)
      let (left, right) = (values[0][name], values[1][name])
      let change: String
      var isImage = false
      switch (left, right) {
      case (let left?, let right?):
        switch map.match(left, right) {
        case .equal: continue
        case .mapped where accepts(left, at: place): continue
        case .mapped: isImage = true
        case .different: break
        }
        change = "value"
      case (nil, _): change = "new"
      case (_, nil): change = "missing"
      }
      differences.append(
        BehaviourDifference(
          place: place, aspect: .header, change: change, base: left?.shortened(to: Self.shown),
          candidate: right?.shortened(to: Self.shown), isImage: isImage))
    }
  }

  /// The same value in both bodies.
  private struct Path {
    var pattern: [String] = []
    var base: JSONPointer? = .root
    var candidate: JSONPointer? = .root

    func member(_ base: String?, _ candidate: String?, _ token: String) -> Path {
      Path(
        pattern: pattern + [token], base: base.flatMap { name in self.base?.appending(name) },
        candidate: candidate.flatMap { name in self.candidate?.appending(name) })
    }

    func item(_ base: Int?, _ candidate: Int?) -> Path {
      member(base.map(String.init), candidate.map(String.init), "*")
    }
  }

  private mutating func add(
    _ aspect: BehaviourAspect, _ path: Path, _ change: String, _ base: String?, _ candidate: String?,
    isImage: Bool = false
  ) {
    differences.append(
      BehaviourDifference(
        place: .body(operation, path.pattern), aspect: aspect, change: change,
        base: base?.shortened(to: Self.shown), candidate: candidate?.shortened(to: Self.shown),
        isImage: isImage, pointers: (path.base, path.candidate)))
  }

  /// A short value may equal an id by chance, so it counts as one only where the runs of the base show ids.
  private mutating func accepts(_ base: String, at place: BehaviourPlace) -> Bool {
    mapped[place, default: []].insert(base)
    return noise.isLearning || noise.mapped.contains(place) || base.utf8.count >= 8
  }

  private mutating func compare(_ base: JSONValue, _ candidate: JSONValue, _ path: Path) {
    switch (base, candidate) {
    case (.object(let left), .object(let right)): compare(left, right, path)
    case (.array(let left), .array(let right)): compare(left, right, path)
    case (.number(let left), .number(let right)):
      if left == right {
        guard left.isWrittenAsInteger != right.isWrittenAsInteger else { return }
        return add(.type, path, Self.form(left) + " → " + Self.form(right), left.text, right.text)
      }
      compare(left.text, right.text, base, candidate, path)
    case (.string(let left), .string(let right)): compare(left, right, base, candidate, path)
    default:
      guard base != candidate else { return }
      if base.typeName == candidate.typeName { return add(.value, path, "", base.text, candidate.text) }
      add(.type, path, "\(base.typeName) → \(candidate.typeName)", base.text, candidate.text)
    }
  }

  private static func form(_ number: JSONNumber) -> String { number.isWrittenAsInteger ? "integer" : "fraction" }

  private mutating func compare(
    _ left: String, _ right: String, _ base: JSONValue, _ candidate: JSONValue, _ path: Path
  ) {
    let match = map.match(left, right)
    switch match {
    case .equal: return
    case .mapped: if accepts(left, at: .body(operation, path.pattern)) { return }
    case .different: break
    }
    add(.value, path, "", base.text, candidate.text, isImage: match == .mapped)
  }

  private mutating func compare(_ base: JSONObject, _ candidate: JSONObject, _ path: Path) {
    var seen: Set<String> = []
    for (name, value) in base {
      let other = candidate[name] == nil ? map.image(of: name) : name
      seen.insert(other)
      let path = path.member(name, other, BehaviourPlace.token(name))
      guard let counterpart = candidate[other] else {
        var path = path
        path.candidate = nil
        add(.presence, path, "missing", value.text, nil)
        continue
      }
      compare(value, counterpart, path)
    }
    for (name, value) in candidate where !seen.contains(name) {
      add(.presence, path.member(nil, name, BehaviourPlace.token(name)), "new", nil, value.text)
    }
  }

  private mutating func compare(_ base: [JSONValue], _ candidate: [JSONValue], _ path: Path) {
    let lists = ListAlignment(base, candidate, map)
    let items = BehaviourPlace.body(operation, path.pattern)
    // Lists without a common item are compared item by item if their ids also differ in two runs of the base.
    let isForeign = lists.pairs.isEmpty && !base.isEmpty && !candidate.isEmpty
    let key = lists.key.map { BehaviourPlace.body(operation, path.pattern + ["*", $0]) }
    if isForeign, noise.isLearning || key.map({ noise.contains($0, .value) }) ?? true {
      if base.count != candidate.count { addItems(base.count, candidate.count, path) }
      for index in 0..<min(base.count, candidate.count) {
        compare(base[index], candidate[index], path.item(index, index))
      }
      return
    }
    if base.count != candidate.count {
      addItems(base.count, candidate.count, path)
    } else if lists.pairs.count < base.count {
      add(.items, path, "others", lists.only(in: base, \.base), lists.only(in: candidate, \.candidate))
    }
    if !lists.isInOrder, !noise.contains(items, .order) {
      add(.order, path, "", lists.names(of: base), lists.names(of: candidate))
    }
    for pair in lists.pairs {
      compare(base[pair.base], candidate[pair.candidate], path.item(pair.base, pair.candidate))
    }
  }

  private mutating func addItems(_ base: Int, _ candidate: Int, _ path: Path) {
    add(.items, path, candidate < base ? "fewer" : "more", counted(base), counted(candidate))
  }

  private func counted(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }
}

extension RecordedMessage {
  /// A status below 400.
  var isSuccess: Bool { status.map { $0 < 400 } ?? false }
}

/// The same items of two lists.
struct ListAlignment {
  struct Pair: Sendable {
    var base: Int
    var candidate: Int
  }

  /// In the order of the base.
  private(set) var pairs: [Pair] = []
  /// The field that identifies an item; nil for lists that are compared by their values or positions.
  private(set) var key: String?

  private static let names = ["id", "uuid", "key", "slug", "code", "sku", "name"]

  init(_ base: [JSONValue], _ candidate: [JSONValue], _ map: IdentityMap) {
    key = Self.key(of: base + candidate)
    if key == nil, base.count == candidate.count, base.contains(where: { $0.object != nil || $0.array != nil }) {
      // Without ids, items of a list in another order are only recognised if they are otherwise equal.
      let texts = (base.map(\.text), candidate.map(\.text))
      guard texts.0 != texts.1, texts.0.sorted() == texts.1.sorted() else {
        pairs = base.indices.map { Pair(base: $0, candidate: $0) }
        return
      }
    } else if key == nil, base.count == candidate.count, Set(base) != Set(candidate) {
      pairs = base.indices.map { Pair(base: $0, candidate: $0) }
      return
    }
    let field = key
    func identity(_ value: JSONValue) -> String { (field.flatMap { value[$0] } ?? value).comparableText }
    var places: [String: [Int]] = [:]
    for (index, value) in candidate.enumerated().reversed() { places[identity(value), default: []].append(index) }
    let owns = base.map(identity)
    // The ids of two servers may be the same numbers for different items.
    let isEqual = owns.allSatisfy { places[$0] != nil }
    for (index, own) in owns.enumerated() {
      if let place = places[isEqual ? own : map.image(of: own)]?.popLast() {
        pairs.append(Pair(base: index, candidate: place))
      }
    }
  }

  /// A field that all items have, with a string or a number.
  private static func key(of items: [JSONValue]) -> String? {
    guard let first = items.first?.object else { return nil }
    let ids = first.keys.filter { name in name.hasSuffix("_id") || name.hasSuffix("Id") }
    return (names + ids).first { name in
      items.allSatisfy { $0[name]?.string != nil || $0[name]?.number != nil }
    }
  }

  /// True if the common items have the same order.
  var isInOrder: Bool { zip(pairs, pairs.dropFirst()).allSatisfy { $0.candidate < $1.candidate } }

  /// The identities of the first items.
  func names(of items: [JSONValue]) -> String {
    list(items)
  }

  /// The identities of the items without a counterpart.
  func only(in items: [JSONValue], _ place: KeyPath<Pair, Int>) -> String {
    let paired = Set(pairs.map { $0[keyPath: place] })
    return list(items.indices.filter { !paired.contains($0) }.map { items[$0] })
  }

  private func list(_ items: [JSONValue]) -> String {
    let texts = items.prefix(6).map { item in (key.flatMap { item[$0] } ?? item).text.shortened(to: 24) }
    return texts.joined(separator: ", ") + (items.count > texts.count ? ", …" : "")
  }
}

extension JSONValue {
  /// A string or a number as ids are mapped.
  fileprivate var comparableText: String { string ?? int.map(String.init) ?? text }
}
