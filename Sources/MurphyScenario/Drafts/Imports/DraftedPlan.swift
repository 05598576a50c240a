/// The parts of an imported scenario other than its sessions: its load and its data files.
struct DraftedPlan {
  /// Users who run the same session.
  struct Group {
    var session: String
    var users: Int
    /// Seconds until all of them are active.
    var ramp = 0
    /// Seconds that they are active, including the ramp; nil for no end.
    var duration: Int?
    /// Sessions of each user; nil for no end.
    var loops: Int?
  }

  var groups: [Group] = []
  /// Stages from the file itself, in place of those computed from `groups`: lines of YAML.
  var stages: [String] = []
  /// Lines of `budgets`, in place of a budget that is not measured.
  var budgets: [String] = []
  /// Other elements that could not be imported.
  var notes: [String] = []
  var setup: [DraftedStep] = []
  var teardown: [DraftedStep] = []
  private(set) var feeds: [(name: String, line: String)] = []

  /// Seconds of a load without an end of its own.
  private static let unbounded = 60
  /// The time limit in seconds for a fixed number of sessions.
  private static let patience = 3_600

  /// - Returns: the feed's name. It differs from `wish` if `wish` is the name of another file.
  mutating func addFeed(named wish: String, _ file: String, isRandom: Bool, stops: Bool) -> String {
    let options = (isRandom ? ", order: random" : "") + (stops ? ", at-end: stop" : "")
    let line = "{ file: \(DraftText.quoted(file))\(options) }"
    if let known = feeds.first(where: { $0.line == line }) { return known.name }
    let name = wish.numbered { name in feeds.contains { $0.name == name } }
    feeds.append((name, line))
    return name
  }

  /// The relative frequency of a session; nil if it carries no information.
  func share(of session: String) -> Int? {
    groups.count > 1 ? groups.first { $0.session == session }?.users : nil
  }

  /// The scenario's `load`; nil if the file does not contain one.
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

  /// The properties of the load that differ from the original.
  var remarks: [String] {
    var remarks = notes
    if stages.isEmpty,
      Set(groups.map(\.ramp)).count > 1 || Set(groups.map(\.duration)).count > 1 || Set(groups.map(\.loops)).count > 1
    {
      remarks.append(
        "the ramps, durations and loops of single groups: all users start and stop together, with the longest of each")
    }
    if stages.isEmpty, groups.contains(where: { $0.duration == nil && $0.loops == nil }) {
      remarks.append("a load without an end: it is limited to \(Self.unbounded) s")
    }
    return remarks
  }
}
