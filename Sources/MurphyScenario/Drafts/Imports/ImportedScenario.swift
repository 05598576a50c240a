import MurphyContract
import MurphyModel
import MurphySchema

/// A scenario made of another tool's file: a browser's recording, a collection of requests, a workflow.
package struct ImportedScenario: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    /// HTTP Archive 1.2: what browsers and proxies record.
    case har
    /// Postman collections, v2.0 and v2.1.
    case postman
    /// Workflows of OpenAPI's Arazzo specification, 1.0.
    case arazzo
    /// Test plans of Apache JMeter, 3 to 5.
    case jmeter
    /// Scripts of k6, read and not run.
    case k6
  }

  package struct Mistake: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  package let format: Format
  /// The scenario, YAML.
  package let text: String
  /// What was not carried over, each with the reason.
  package let left: [String]
  package let sessions: Int
  package let calls: Int

  /// - Parameters:
  ///   - text: JSON, or YAML for workflows.
  ///   - contract: what requests are matched with.
  ///   - path: the contract as the scenario names it.
  ///   - origin: who has drafted it; nil for `murphy import` out of the file.
  ///   - rule: which requests it may hold.
  package init(
    _ text: String, file: String, _ contract: Contract, at path: String, target: String?, origin: String?,
    _ rule: WriteRule
  ) throws(Mistake) {
    var recording: Recording
    (format, recording) = try Self.read(text, file, contract, target)
    recording.leaveOut(OwnItems(contract, rule))
    recording.left = recording.left.map(ContentMask.shown)
    recording.sessions = recording.sessions.map { ($0.name, $0.steps.withoutIdleSaves) }
    guard !recording.sessions.isEmpty else {
      throw Mistake(
        description: "\(file) holds no request that a scenario could send: " + recording.left.joined(separator: "; "))
    }
    var drafting = ScenarioDraft.Options(contract: path)
    drafting.target = target ?? recording.target
    drafting.origin = origin ?? "`murphy import` out of \(file)"
    drafting.plan = recording.plan
    // What a recording sends, it says itself.
    drafting.asksForTokens = false
    var page = DraftPage(contract: contract, options: drafting, sessions: recording.sessions)
    page.note(left: recording.left, unsafe: [], variables: recording.variables.sorted() + contract.credentialVariables)
    self.text = page.text
    left = recording.left
    sessions = recording.sessions.count
    calls = recording.sessions.reduce(0) { $0 + $1.steps.calls.count }
  }

  private static func read(
    _ text: String, _ file: String, _ contract: Contract, _ target: String?
  ) throws(Mistake) -> (Format, Recording) {
    if text.prefix(200).drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" {
      return (.jmeter, try JMeterReader(contract, plan(text, file)).recording())
    }
    if K6Reader.isScript(text) { return (.k6, K6Reader(contract, text).recording(contract)) }
    let root = try contents(text, file)
    switch format(of: root) {
    case .har?: return (.har, HARReader(contract, target: target).recording(ArchiveMask.masked(root)))
    case .postman?: return (.postman, PostmanReader(contract).recording(root))
    case .arazzo?: return (.arazzo, ArazzoReader(contract).recording(root))
    case .jmeter?, .k6?, nil:
      throw Mistake(
        description: "\(file) is no HTTP Archive (log.entries), no Postman collection (info, item), no Arazzo "
          + "document (arazzo, workflows), no test plan of JMeter (<jmeterTestPlan>) and no script of k6")
    }
  }

  private static func plan(_ text: String, _ file: String) throws(Mistake) -> XMLElement {
    switch Array(text.utf8).withUnsafeBytes({ XMLReader.read($0) }) {
    case .document(let root) where root.name == "jmeterTestPlan": return root
    case .document(let root):
      throw Mistake(description: "\(file) is XML, and <\(root.name)> is no test plan of JMeter (<jmeterTestPlan>)")
    case .malformed(let message, let line, let column):
      throw Mistake(description: "\(file):\(line):\(column): not XML: \(message)")
    case .unreadable(let reason): throw Mistake(description: "\(file) cannot be read: it is \(reason)")
    }
  }

  /// JSON, and YAML for what is none: not every JSON text is YAML, which forbids some characters.
  private static func contents(_ text: String, _ file: String) throws(Mistake) -> JSONValue {
    if let value = try? JSONValue.parse(Array(text.utf8)) { return value }
    let document = MarkedDocument(SourceText(file: file, text: text), as: .yaml)
    guard let root = document.contents?.value else {
      throw Mistake(description: document.mistakes.first?.text ?? "\(file) is neither JSON nor YAML")
    }
    return root
  }

  private static func format(of root: JSONValue) -> Format? {
    if root["log"]?["entries"] != nil { return .har }
    if root["arazzo"] != nil { return .arazzo }
    return root["info"] != nil && root["item"] != nil ? .postman : nil
  }
}

/// What a reader has made of a file.
struct Recording {
  var sessions: [(name: String, steps: [DraftedStep])] = []
  /// What was not carried over.
  var left: [String] = []
  /// Environment variables that stand in the place of secrets.
  var variables: Set<String> = []
  /// Where the requests went.
  var target: String?
  /// Who comes, where the file tells it.
  var plan: DraftedPlan?

  /// Requests outside of the contract lose the base path, which the target has.
  ///
  /// - Parameter api: the server's URL without it; empty where the file names none.
  mutating func take(_ plan: DraftedPlan? = nil, base: String, api: String) {
    sessions = sessions.map { ($0.name, $0.steps.withoutBase(base)) }
    self.plan = plan
    self.plan?.setup = plan?.setup.withoutBase(base) ?? []
    self.plan?.teardown = plan?.teardown.withoutBase(base) ?? []
    target = api.isEmpty ? nil : api + base
  }

  /// Takes out what could change data that no session has created. The setup's items are all sessions' own.
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

  /// Under a name that no other session has.
  mutating func add(_ name: String, _ steps: [DraftedStep]) {
    let unique = (name.isEmpty ? "session" : name).numbered(" ") { name in sessions.contains { $0.name == name } }
    sessions.append((unique, steps))
  }
}
