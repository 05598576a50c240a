import MurphyModel

/// The order of an operation's cases: those that most often find errors of servers first, and one of each class
/// before the second of any class.
enum CaseOrder {
  /// Classes by how often they find errors of servers: each is a set of constraints.
  private static let classes: [Set<String>] = [
    ["type"], ["required"], ["null"], ["control character"],
    ["large", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
    ["maxLength", "minLength", "long"], ["security", "owner"], ["JSON"], ["optional"], ["unicode"], ["enum"],
    ["format", "pattern"], ["empty", "blank", "zero", "negative"], ["quoting", "punctuation"],
    ["maxItems", "minItems", "uniqueItems", "items"], ["media type"], ["method"],
    ["additionalProperties", "additional"],
    ["repeated"], ["content coding"], ["condition", "range", "host"], ["spelling"], ["wildcard"], ["safe"],
  ]
  private static let places = Dictionary(
    classes.enumerated().flatMap { index, names in names.map { ($0, index) } }, uniquingKeysWith: { first, _ in first })

  /// - Parameter seed: varies the order of equally valuable cases.
  static func ordered(_ cases: [ExploreCase], seed: UInt64) -> [ExploreCase] {
    var random = RandomSource(seed: seed)
    var byClass: [Int: [ExploreCase]] = [:]
    for one in cases { byClass[places[one.constraint] ?? classes.count, default: []].append(one) }
    // An operation that needs no credentials accepts wrong ones too: it is called without credentials first.
    let credentials = places["security"]
    let lists = byClass.sorted { $0.key < $1.key }.map { key, cases in
      key == credentials ? cases : cases.shuffled(using: &random)
    }
    return (0..<(lists.map(\.count).max() ?? 0)).flatMap { index in
      lists.compactMap { index < $0.count ? $0[index] : nil }
    }
  }
}
