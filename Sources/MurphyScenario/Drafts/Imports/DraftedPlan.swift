/// What stands around the sessions of a scenario that another tool's file describes: who comes, and with which data.
struct DraftedPlan {
  /// Users who do the same.
  struct Group {
    var session: String
    var users: Int
    /// Seconds until all of them are there.
    var ramp = 0
    /// Seconds that they are there, the ramp included; nil for no end.
    var duration: Int?
    /// Sessions of each; nil for no end.
    var loops: Int?
  }

  var groups: [Group] = []
  /// Stages that the file itself gives, in place of those that `groups` make: lines of YAML.
  var stages: [String] = []
  /// Lines of `budgets`, in place of one that is not measured.
  var budgets: [String] = []
  /// What else could not be carried over.
  var notes: [String] = []
  var setup: [DraftedStep] = []
  var teardown: [DraftedStep] = []
  private(set) var feeds: [(name: String, line: String)] = []

  /// Seconds of a load to which nothing gives an end.
  private static let unbounded = 60
  /// Seconds within which a number of sessions should be done.
  private static let patience = 3_600

  /// - Returns: the feed's name: another one where `wish` is the name of another file.
  mutating func addFeed(named wish: String, _ file: String, isRandom: Bool, stops: Bool) -> String {
    let options = (isRandom ? ", order: random" : "") + (stops ? ", at-end: stop" : "")
    let line = "{ file: \(DraftText.quoted(file))\(options) }"
    if let known = feeds.first(where: { $0.line == line }) { return known.name }
    let name = wish.numbered { name in feeds.contains { $0.name == name } }
    feeds.append((name, line))
    return name
  }

  /// How often a session is taken, beside the others; nil where that says nothing.
  func share(of session: String) -> Int? {
    groups.count > 1 ? groups.first { $0.session == session }?.users : nil
  }

  /// The scenario's `load`; nil for one that the file does not tell.
  var load: [String]? {
    if !stages.isEmpty { return ["load:"] + stages.map { "  - \($0)" } }
    guard !groups.isEmpty else { return nil }
    let users = groups.reduce(0) { $0 + $1.users }
    let ramp = groups.map(\.ramp).max() ?? 0
    let loops = groups.compactMap(\.loops).count == groups.count ? groups.compactMap(\.loops).max() : nil
    let known = groups.compactMap(\.duration).max()
    let hold = max((known ?? (loops == nil ? ramp + Self.unbounded : Self.patience)) - ramp, 1)
    var stages: [String] = []
    if ramp > 0 { stages.append("{ users: 0..\(users), for: \(ramp)s }") }
    stages.append("{ users: \(users), for: \(hold)s }")
    guard let loops else { return ["load:"] + stages.map { "  - \($0)" } }
    return ["load:", "  iterations: \(loops)", "  stages:"] + stages.map { "    - \($0)" }
  }

  /// What of the load is not as it was.
  var remarks: [String] {
    var remarks = notes
    if stages.isEmpty,
      Set(groups.map(\.ramp)).count > 1 || Set(groups.map(\.duration)).count > 1 || Set(groups.map(\.loops)).count > 1
    {
      remarks.append(
        "the ramps, lengths and loops of single groups: all users come and go together, the longest counts")
    }
    if stages.isEmpty, groups.contains(where: { $0.duration == nil && $0.loops == nil }) {
      remarks.append("a load without an end: it lasts \(Self.unbounded) s")
    }
    return remarks
  }
}
