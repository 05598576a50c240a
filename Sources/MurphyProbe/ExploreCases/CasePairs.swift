import MurphyModel
import MurphySchema

/// Two or more changes of one operation in one request, for errors that occur only in combination.
struct CasePairs {
  private let singles: [ExploreCase]
  private let base: [ExploreCall]
  private var random: RandomSource

  /// - Parameter cases: of one operation, around `base`.
  init(_ cases: [ExploreCase], base: [ExploreCall], seed: UInt64) {
    singles = cases.filter { $0.call.isPlain && $0.call.caller == .own && !$0.call.isOffContract }
    self.base = base
    random = RandomSource(seed: seed)
  }

  /// Every two parameters, each with its boundary values, at most `most` requests. A request combines several, so that
  /// few requests test every pair (a covering array, built as in AETG: Cohen et al., 1997). If one fails, each of its
  /// pairs is tested separately.
  mutating func pairs(most: Int) -> [ExploreCase] {
    let places = places
    var open: Set<Pair> = []
    var order: [Pair] = []
    for left in places.indices {
      for right in places.indices where right > left {
        for one in places[left].indices {
          for two in places[right].indices {
            order.append(Pair(Cell(place: left, value: one), Cell(place: right, value: two)))
          }
        }
      }
    }
    order.shuffle(using: &random)
    open.formUnion(order)
    var found: [ExploreCase] = []
    for pair in order where open.contains(pair) && found.count < most {
      var cells = [pair.left, pair.right]
      for place in places.indices.shuffled(using: &random) where cells.count < Self.mostAtOnce {
        guard !cells.contains(where: { $0.place == place }) else { continue }
        let gains = places[place].indices.map { value in
          let cell = Cell(place: place, value: value)
          return (cell, cells.count { open.contains(Pair($0, cell)) })
        }
        if let best = gains.max(by: { $0.1 < $1.1 }), best.1 > 0 { cells.append(best.0) }
      }
      for (index, one) in cells.enumerated() { for two in cells[..<index] { open.remove(Pair(one, two)) } }
      let cases = cells.map { places[$0.place][$0.value] }
      if var together = Self.together(cases, base, .pairs) {
        if cases.count > 2 { together.combined = cases }
        found.append(together)
      }
    }
    return found
  }

  /// The maximum number of changed parameters in one request.
  private static let mostAtOnce = 5
  /// Values of one parameter.
  private static let mostValues = 6

  /// Valid values, by the place in the request.
  private var places: [[ExploreCase]] {
    var byPlace: [(place: String, cases: [ExploreCase])] = []
    for one in singles
    where one.category == .positive && one.expectation != .refused && one.value != nil && one.place != "body" {
      if let index = byPlace.firstIndex(where: { $0.place == one.place }) {
        if byPlace[index].cases.count < Self.mostValues { byPlace[index].cases.append(one) }
      } else {
        byPlace.append((one.place, [one]))
      }
    }
    return byPlace.map(\.cases)
  }

  private struct Cell: Hashable {
    var place: Int
    var value: Int
  }

  private struct Pair: Hashable {
    var left: Cell
    var right: Cell

    init(_ one: Cell, _ two: Cell) { (left, right) = one.place < two.place ? (one, two) : (two, one) }
  }

  mutating func drawn() -> ExploreCase? {
    guard singles.count > 2 else { return nil }
    let count = 2 + Int(random.next() % 3)
    let chosen = (0..<count).compactMap { _ in singles.randomElement(using: &random) }
    return Self.together(chosen, base, .random)
  }

  /// Each pair of the changes of a request, separately.
  static func divided(_ one: ExploreCase, base: [ExploreCall]) -> [ExploreCase] {
    let pairs = one.combined.indices.flatMap { index in
      one.combined[..<index].compactMap { together([$0, one.combined[index]], base, .pairs) }
    }
    return pairs.map { pair in
      var pair = pair
      pair.whole = one.name
      return pair
    }
  }

  /// The base with all changes; nil if two of them are at one place.
  private static func together(
    _ cases: [ExploreCase], _ base: [ExploreCall], _ category: ExploreCase.Category
  ) -> ExploreCase? {
    guard var call = base.last, let first = cases.first else { return nil }
    for one in cases { call.addChanges(of: one.call, from: base[base.count - 1]) }
    guard Set(cases.map(\.place)).count == cases.count, call != base.last else { return nil }
    return ExploreCase(
      steps: base.dropLast() + [call], expectation: .anything, category: category,
      place: cases.map(\.place).joined(separator: " and "),
      constraint: cases.map(\.constraint).joined(separator: " and "),
      about: ExploreCase.about(cases.map(\.change)), value: first.value, parts: cases.map(\.causeWord),
      changes: cases.map(\.change))
  }
}

extension ExploreCase {
  fileprivate var change: Change { changes.first ?? Change(place: place, about: about) }
}

extension ExploreCall {
  /// Copies the changes of another call with the same base.
  fileprivate mutating func addChanges(of other: ExploreCall, from base: ExploreCall) {
    for (name, value) in other.path where base.path[name] != value { path[name] = value }
    func add(_ own: inout [Named], _ others: [Named], _ bases: [Named]) {
      for one in others where !bases.contains(one) {
        own.removeAll { $0.name == one.name }
        own.append(one)
      }
      own.removeAll { one in bases.contains(one) && !others.contains { $0.name == one.name } }
    }
    add(&query, other.query, base.query)
    add(&headers, other.headers, base.headers)
    add(&cookies, other.cookies, base.cookies)
    guard let own = body, let theirs = other.body, let first = base.body, theirs != first else { return }
    body = own.merging(theirs, from: first)
    fresh = fresh.filter { other.fresh[$0.key] != nil }
    references = references.filter { other.references[$0.key] != nil }
  }
}

extension JSONValue {
  /// Copies the fields in which `other` differs from `base`, at any depth of objects.
  fileprivate func merging(_ other: JSONValue, from base: JSONValue) -> JSONValue {
    guard case .object(var own) = self, case .object(let theirs) = other, case .object(let first) = base else {
      return other
    }
    for (name, value) in theirs where first[name] != value {
      if let mine = own[name], let start = first[name] {
        own[name] = mine.merging(value, from: start)
      } else {
        own[name] = value
      }
    }
    for name in first.keys where theirs[name] == nil { own[name] = nil }
    return .object(own)
  }
}
