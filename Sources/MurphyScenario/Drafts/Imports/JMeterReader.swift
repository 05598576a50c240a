import Foundation
import MurphyContract
import MurphyModel

/// Reads a JMeter test plan (.jmx). Each thread group becomes a session, with the combined load of all groups.
struct JMeterReader {
  private let root: XMLElement
  var tool: ToolImporter
  var left: [String] = []

  init(_ contract: Contract, _ root: XMLElement) {
    self.root = root
    tool = ToolImporter(contract, JMeterText.function)
  }

  func recording() -> Recording {
    let plans = root.children.first { $0.name == "hashTree" }.map(JMeterNode.nodes) ?? []
    // The first pass finds the server.
    var scout = self
    _ = scout.recording(plans)
    var reader = self
    reader.tool.api = scout.tool.mostFrequentOrigin
    return reader.recording(plans)
  }

  private mutating func recording(_ plans: [JMeterNode]) -> Recording {
    var recording = Recording()
    var plan = DraftedPlan()
    for node in plans where node.kind == "TestPlan" {
      addConstants(node.element.part("TestPlan.user_defined_variables"))
      let below = node.children
      addConstants(below)
      addFeeds(below.filter { $0.kind == "CSVDataSet" }, &plan)
      let scope = JMeterScope().with(below)
      // A thread has the variables of the whole plan, and those that it has saved itself.
      let given = tool.variables.given
      for child in below where isRead(child) {
        switch child.kind {
        case "ThreadGroup":
          tool.variables.given = given
          addFeeds(child.children, &plan)
          let steps = steps(child.children, scope)
          recording.add(child.name, steps)
          plan.groups.append(group(child, recording.sessions.last?.name ?? child.name))
        case "SetupThreadGroup": plan.setup += steps(child.children, scope)
        case "PostThreadGroup": plan.teardown += steps(child.children, scope)
        case _ where child.kind.hasSuffix("ThreadGroup"):
          recording.add(child.name, steps(child.children, scope))
          left.append("\(child.name): the load of the \(child.kind)")
        default: leave(child)
        }
      }
    }
    recording.setTarget(plan, base: tool.base, api: tool.api ?? "")
    left += plan.remarks
    recording.left = left
    recording.variables = tool.environment
    return recording
  }

  private mutating func isRead(_ node: JMeterNode) -> Bool {
    if !node.isEnabled { left.append("\(node.name): it is disabled") }
    return node.isEnabled
  }

  // MARK: Steps

  private mutating func steps(_ nodes: [JMeterNode], _ outer: JMeterScope) -> [DraftedStep] {
    addConstants(nodes)
    let scope = outer.with(nodes)
    var steps: [DraftedStep] = []
    for node in nodes where isRead(node) {
      switch node.kind {
      case "HTTPSamplerProxy", "HTTPSampler", "HTTPSampler2": steps += sampled(node, scope)
      case "TransactionController":
        let inner = self.steps(node.children, scope)
        if !inner.isEmpty { steps.append(.block(.group(node.name), inner)) }
      case "LoopController":
        let inner = self.steps(node.children, scope)
        let count = node.number("LoopController.loops", tool.variables).flatMap { Int(exactly: $0) } ?? -1
        if count < 0 { left.append("\(node.name): its endless loop; the steps run once") }
        if !inner.isEmpty { steps += count > 1 ? [.block(.repeated(count), inner)] : inner }
      case "GenericController", "RecordingController", "CriticalSectionController":
        steps += self.steps(node.children, scope)
      case "TestAction":
        if node["ActionProcessor.action"] == "1", let pause = node.number("ActionProcessor.duration", tool.variables) {
          steps.append(.think(Self.milliseconds(pause)))
        } else {
          leave(node)
        }
      case let kind where kind.hasSuffix("Controller") || kind == "InterleaveControl" || kind == "RunTime":
        left.append("\(node.name): the logic of the \(kind); the steps run once, in order")
        steps += self.steps(node.children, scope)
      default: leave(node)
      }
    }
    return steps
  }

  /// Elements that only observe a test, and those that other code reads.
  private static let silent: Set<String> = [
    "ResultCollector", "BackendListener", "Summariser", "CookieManager", "CSVDataSet", "Arguments", "DebugSampler",
    "ViewResultsFullVisualizer", "CacheManager",
  ]

  private mutating func leave(_ node: JMeterNode) {
    guard !Self.silent.contains(node.kind), !JMeterScope.kinds.contains(node.kind) else { return }
    let reason =
      JMeterScope.extractorKinds.contains(node.kind)
      ? "it reads responses of several requests, but `save` reads one response"
      : "murphy has no equivalent of \(node.kind)"
    left.append("\(node.name): \(reason)")
  }

  static func milliseconds(_ number: Double) -> String { Measured.text(max(number, 0).rounded()) + "ms" }

  // MARK: Variables

  private mutating func addConstants(_ nodes: [JMeterNode]) {
    for node in nodes where node.isEnabled && node.kind == "Arguments" { addConstants(node.element) }
  }

  /// "User Defined Variables"
  private mutating func addConstants(_ element: XMLElement?) {
    for argument in element?.members("Arguments.arguments") ?? [] {
      guard let name = argument.property("Argument.name"), let value = argument.property("Argument.value") else {
        continue
      }
      tool.variables.constants[name] = tool.variables.withConstants(value)
    }
  }

  mutating func group(_ node: JMeterNode, _ session: String) -> DraftedPlan.Group {
    func number(_ property: String) -> Int? {
      node.number(property, tool.variables).flatMap { Int(exactly: $0.rounded()) }
    }
    var group = DraftedPlan.Group(session: session, users: max(number("ThreadGroup.num_threads") ?? 1, 1))
    group.ramp = max(number("ThreadGroup.ramp_time") ?? 0, 0)
    if node.isTrue("ThreadGroup.scheduler") {
      group.duration = number("ThreadGroup.duration").flatMap { $0 > 0 ? $0 : nil }
    }
    if let loop = node.element.part("ThreadGroup.main_controller"),
      loop.property("LoopController.continue_forever") != "true"
        || loop.property("LoopController.loops") != "-1"
    {
      let text = tool.variables.withConstants(loop.property("LoopController.loops") ?? "")
      group.loops = Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
    if let delay = number("ThreadGroup.delay"), delay > 0 { left.append("\(node.name): its delay of \(delay) s") }
    return group
  }

  /// Data files, at any place among `nodes`.
  mutating func addFeeds(_ nodes: [JMeterNode], _ plan: inout DraftedPlan) {
    for node in nodes where node.isEnabled {
      addFeeds(node.children, &plan)
      guard node.kind == "CSVDataSet", let file = node["filename"] else { continue }
      let path = tool.variables.withConstants(file)
      let stem = path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "rows"
      let feed = plan.addFeed(
        named: DraftNames.variable(stem), path, isRandom: false, stops: node["recycle"] == "false")
      let names = (node["variableNames"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      if names.isEmpty {
        left.append("\(node.name): its column names, which are only in \(path); write them as ${\(feed).column}")
      } else if node["ignoreFirstLine"] != "true" {
        left.append(
          "\(node.name): its column names; write this line at the start of \(path): \(names.joined(separator: ","))")
      }
      if let mark = node["delimiter"], mark != "," {
        left.append("\(node.name): its delimiter \(mark); murphy reads only the delimiter comma")
      }
      for name in names {
        guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
          left.append("\(node.name): the column \(name), whose name the scenario language does not allow")
          continue
        }
        tool.variables.given[name] = "\(feed).\(name)"
      }
    }
  }

  /// A sampler with the pauses before it; empty if it cannot be sent.
  mutating func sampled(_ node: JMeterNode, _ outer: JMeterScope) -> [DraftedStep] {
    let scope = outer.with(node.children, isSampler: true)
    guard var request = request(node, scope) else { return [] }
    request.path = tool.variables.withConstants(request.path)
    var call = tool.call(request)
    for child in node.children where child.isEnabled { noteUnread(child, of: node) }
    let saved = saves(scope.extractors, of: node)
    call.saves = saved.saves
    for assertion in scope.assertions { expect(assertion, of: node, &call) }
    var steps: [DraftedStep] = []
    for timer in scope.timers { if let pause = pause(timer) { steps.append(pause) } }
    return steps + [.call(call)] + saved.sets
  }

  private mutating func noteUnread(_ child: JMeterNode, of node: JMeterNode) {
    let known = JMeterScope.kinds.union(JMeterScope.extractorKinds)
    guard !known.contains(child.kind), !["ResultCollector", "Arguments", "CookieManager"].contains(child.kind) else {
      return
    }
    left.append("\(node.name): \(child.name); murphy has no equivalent of \(child.kind)")
  }

  private mutating func pause(_ timer: JMeterNode) -> DraftedStep? {
    guard let delay = timer.number("ConstantTimer.delay", tool.variables) else {
      left.append("\(timer.name): its delay, which is not a number")
      return nil
    }
    if timer.kind == "ConstantTimer" { return .think(Self.milliseconds(delay)) }
    guard let range = timer.number("RandomTimer.range", tool.variables) else {
      left.append("\(timer.name): its range, which is not a number")
      return nil
    }
    return timer.kind == "UniformRandomTimer"
      ? .think("\(Self.milliseconds(delay))..\(Self.milliseconds(delay + range))")
      : .think("normal(\(Self.milliseconds(delay)), \(Self.milliseconds(range)))")
  }

  private mutating func request(_ node: JMeterNode, _ scope: JMeterScope) -> RecordedRequest? {
    func value(_ key: String) -> String? {
      (node["HTTPSampler.\(key)"] ?? scope.defaults[key]).map(tool.variables.withConstants)
    }
    var path = value("path") ?? "/"
    var origin = value("domain").map { domain in
      "\(value("protocol")?.lowercased() ?? "http")://\(domain)" + (value("port").map { ":\($0)" } ?? "")
    }
    // A path may be a whole URL.
    if let url = path.prefixMatch(of: /https?:\/\/[^\/?#]+/) {
      origin = String(url.0)
      path = String(path[url.range.upperBound...])
    }
    guard tool.isOfAPI(origin ?? "") else {
      left.append("\(node.name): it is sent to \(origin ?? "another server"), not to the target")
      return nil
    }
    guard !node.isTrue("HTTPSampler.DO_MULTIPART_POST"),
      node.element.part("HTTPsampler.Files")?.children.isEmpty != false
    else {
      left.append("\(node.name): its body is multipart/form-data, which the import does not support")
      return nil
    }
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    path = parts.first ?? ""
    var request = RecordedRequest(
      method: node["HTTPSampler.method"]?.uppercased() ?? "GET", path: path.hasPrefix("/") ? path : "/" + path)
    request.headers = scope.headers
    request.contentType = request.typeField
    if parts.count > 1 { request.query = RecordedRequest.pairs(parts[1]) }
    addArguments(of: node, to: &request)
    return request
  }

  /// Parameters of the query or the form, or the raw body.
  private func addArguments(of node: JMeterNode, to request: inout RecordedRequest) {
    let arguments = node.element.part("HTTPsampler.Arguments")?.members("Arguments.arguments") ?? []
    let named = arguments.compactMap { argument -> (name: String, value: String)? in
      guard let name = argument.property("Argument.name") else { return nil }
      let value = argument.property("Argument.value") ?? ""
      let isPlain = argument.property("HTTPArgument.always_encode") != "false"
      return (name, isPlain ? value : value.removingPercentEncoding ?? value)
    }
    if node.isTrue("HTTPSampler.postBodyRaw") || (named.isEmpty && !arguments.isEmpty) {
      let text = arguments.compactMap { $0.property("Argument.value") }.joined()
      request.body = ToolVariables.quoted(text)
    } else if ["POST", "PUT", "PATCH"].contains(request.method) {
      if !named.isEmpty { request.setForm(named) }
    } else {
      request.query += named
    }
  }
}
