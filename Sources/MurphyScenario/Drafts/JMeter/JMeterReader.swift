import Foundation
import MurphyContract

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
          left.append("\(child.name): the load of a \(child.kind)")
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
        if count < 0 { left.append("\(node.name): its loop without an end; its steps run once") }
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
        left.append("\(node.name): the logic of a \(kind); its steps run once, in their order")
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
      ? "it reads the responses of many requests; `save` belongs to one call" : "a \(node.kind) has no counterpart"
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
}
