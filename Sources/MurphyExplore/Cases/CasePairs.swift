import MurphyJSON
import MurphyModel

/// Two or more trials of one operation at once: what fails only together.
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

  /// Every two parameters, each with the edges of what it allows, as far as `most` goes; those of different values first.
  mutating func pairs(most: Int) -> [ExploreCase] {
    let allowed = singles.filter { $0.category == .positive && $0.expectation != .refused && $0.value != nil }
    var byPlace: [(place: String, cases: [ExploreCase])] = []
    for one in allowed where one.place != "body" {
      if let index = byPlace.firstIndex(where: { $0.place == one.place }) {
        if byPlace[index].cases.count < 6 { byPlace[index].cases.append(one) }
      } else {
        byPlace.append((one.place, [one]))
      }
    }
    var pairs: [ExploreCase] = []
    for (index, left) in byPlace.enumerated() {
      for right in byPlace.dropFirst(index + 1) {
        for one in left.cases {
          for two in right.cases { if let both = together([one, two], .pairs) { pairs.append(both) } }
        }
      }
    }
    pairs.shuffle(using: &random)
    return Array(pairs.prefix(most))
  }

  /// Some trials at once, drawn.
  mutating func drawn() -> ExploreCase? {
    guard singles.count > 2 else { return nil }
    let count = 2 + Int(random.next() % 3)
    let chosen = (0..<count).compactMap { _ in singles.randomElement(using: &random) }
    return together(chosen, .random)
  }

  /// The base with all changes; nil where two of them are at one place.
  private func together(_ cases: [ExploreCase], _ category: ExploreCase.Category) -> ExploreCase? {
    guard var call = base.last, let first = cases.first else { return nil }
    for one in cases { call.take(one.call, from: base[base.count - 1]) }
    guard Set(cases.map(\.place)).count == cases.count, call != base.last else { return nil }
    return ExploreCase(
      steps: base.dropLast() + [call], expectation: .anything, category: category,
      place: cases.map(\.place).joined(separator: " and "),
      constraint: cases.map(\.constraint).joined(separator: " and "),
      about: cases.map { "\($0.place): \($0.about)" }.joined(separator: "; "), value: first.value,
      parts: cases.map(\.causeWord))
  }
}

extension ExploreCall {
  /// Takes over what another call has changed of the same base.
  fileprivate mutating func take(_ other: ExploreCall, from base: ExploreCall) {
    for (name, value) in other.path where base.path[name] != value { path[name] = value }
    func take(_ own: inout [Named], _ others: [Named], _ bases: [Named]) {
      for one in others where !bases.contains(one) {
        own.removeAll { $0.name == one.name }
        own.append(one)
      }
      own.removeAll { one in bases.contains(one) && !others.contains { $0.name == one.name } }
    }
    take(&query, other.query, base.query)
    take(&headers, other.headers, base.headers)
    take(&cookies, other.cookies, base.cookies)
    guard let own = body, let theirs = other.body, let first = base.body, theirs != first else { return }
    body = own.merging(theirs, from: first)
    fresh = fresh.filter { other.fresh[$0.key] != nil }
    references = references.filter { other.references[$0.key] != nil }
  }
}

extension JSONValue {
  /// Takes over the members in which `other` differs from `base`, at any depth of objects.
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
