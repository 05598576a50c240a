import MurphyContract
import MurphyModel
import MurphySchema

/// A scenario generated from another tool's file: a browser's recording, a collection of requests, or a workflow.
package struct ImportedScenario: Sendable {
  /// The files that can be imported.
  package enum Format: String, Sendable, CaseIterable {
    /// HTTP Archive 1.2, recorded by browsers and proxies.
    case har
    /// Postman collections, v2.0 and v2.1.
    case postman
    /// Workflows of OpenAPI's Arazzo specification, 1.0 and 1.1.
    case arazzo
    /// Test plans of Apache JMeter, 3 to 5.
    case jmeter
    /// Scripts of k6. They are read and not executed.
    case k6
    /// Commands of curl, as browsers copy them, or in a shell script.
    case curl
    /// Hurl files.
    case hurl
    /// Exports of Insomnia, versions 4 and 5.
    case insomnia
    /// Bruno collections, in Bruno's own language or as OpenCollection 1.0.
    case bruno
  }

  /// The reason why a file cannot be imported.
  package struct Mistake: Error, Sendable, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  package let format: Format
  /// The scenario as YAML.
  package let text: String
  /// The elements that were not imported, each with the reason.
  package let left: [String]
  /// The number of sessions in the scenario.
  package let sessions: Int
  /// The number of calls in all sessions.
  package let calls: Int

  /// What is imported.
  package enum Content: Sendable {
    /// The text of a file.
    case text(String)
    /// The files of a collection, with their paths from its folder.
    case folder([(path: String, text: String)])
  }

  /// - Parameters:
  ///   - file: the name of the file or folder, for messages.
  ///   - contract: the contract that requests are matched with.
  ///   - path: the contract's path in the scenario.
  ///   - origin: the creator of the draft; nil for `murphy import` from the file.
  ///   - rule: decides which requests it may contain.
  package init(
    _ content: Content, file: String, _ contract: Contract, at path: String, target: String?, origin: String?,
    _ rule: WriteRule
  ) throws(Mistake) {
    var recording: Recording
    switch content {
    case .text(let text): (format, recording) = try Self.read(text, file, contract, target)
    case .folder(let files): (format, recording) = (.bruno, try BrunoReader.recording(files, contract))
    }
    recording.leaveOut(OwnItems(contract, rule))
    recording.left = recording.left.map(ContentMask.shown)
    recording.sessions = recording.sessions.map { ($0.name, $0.steps.withoutIdleSaves) }
    guard !recording.sessions.isEmpty else {
      throw Mistake(
        description: "\(file) contains no request that a scenario can send: " + recording.left.joined(separator: "; "))
    }
    var drafting = ScenarioDraft.Options(contract: path)
    drafting.target = target ?? recording.target
    drafting.origin = origin ?? "`murphy import` from \(file)"
    drafting.plan = recording.plan
    // A recording already contains its token requests.
    drafting.asksForTokens = false
    var page = DraftPage(contract: contract, options: drafting, sessions: recording.sessions)
    page.addRemarks(
      left: recording.left, unsafe: [], variables: recording.variables.sorted() + contract.credentialVariables)
    self.text = page.text
    left = recording.left
    sessions = recording.sessions.count
    calls = recording.sessions.reduce(0) { $0 + $1.steps.calls.count }
  }
}

/// The result of reading a file.
struct Recording {
  var sessions: [(name: String, steps: [DraftedStep])] = []
  /// Elements that were not imported.
  var left: [String] = []
  /// Environment variables that replace secrets.
  var variables: Set<String> = []
  /// The target of the requests.
  var target: String?
  /// The load, if the file contains one.
  var plan: DraftedPlan?

  /// Removes the base path from requests outside the contract, because the target contains it.
  ///
  /// - Parameter api: the server's URL without the base path; empty if the file names none.
  mutating func setTarget(_ plan: DraftedPlan? = nil, base: String, api: String) {
    sessions = sessions.map { ($0.name, $0.steps.withoutBase(base)) }
    self.plan = plan
    self.plan?.setup = plan?.setup.withoutBase(base) ?? []
    self.plan?.teardown = plan?.teardown.withoutBase(base) ?? []
    target = api.isEmpty ? nil : api + base
  }

  /// Removes requests that could change data that no session has created. Items of the setup belong to all sessions.
  mutating func leaveOut(_ items: OwnItems) {
    var around = items
    if let setup = plan?.setup { plan?.setup = around.kept(setup) }
    var found = around.left
    sessions = sessions.compactMap { session in
      var own = around
      let steps = own.kept(session.steps)
      found += own.left
      return steps.calls.isEmpty ? nil : (session.name, steps)
    }
    if let teardown = plan?.teardown { plan?.teardown = around.kept(teardown) }
    var seen: Set<String> = []
    left += (found + around.left).map { "\($0.operation): \($0.reason)" }.filter { seen.insert($0).inserted }
  }

  /// Adds a session under a name that no other session has.
  mutating func add(_ name: String, _ steps: [DraftedStep]) {
    let unique = (name.isEmpty ? "session" : name).numbered(" ") { name in sessions.contains { $0.name == name } }
    sessions.append((unique, steps))
  }
}

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
        "the ramps, durations and loops of single groups; for all users, the scenario uses the longest of each")
    }
    if stages.isEmpty, groups.contains(where: { $0.duration == nil && $0.loops == nil }) {
      remarks.append("the endless load; the scenario limits the load to \(Self.unbounded) s")
    }
    return remarks
  }
}
