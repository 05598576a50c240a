import Foundation
import MurphyContract

/// Reads a test plan of JMeter (.jmx): each thread group becomes a session, with the load of all of them together.
struct JMeterReader {
  private let root: XMLElement
  var importer: CallImporter
  var variables = ToolVariables(JMeterText.function)
  var left: [String] = []
  /// How many requests go to each server.
  var origins: [String: Int] = [:]
  /// Where most of them go; what goes elsewhere is left out. Nil while that is not known.
  var api: String?

  init(_ contract: Contract, _ root: XMLElement) {
    self.root = root
    importer = CallImporter(contract)
  }

  func recording() -> Recording {
    let plans = root.children.first { $0.name == "hashTree" }.map(JMeterNode.nodes) ?? []
    // Once to find the server out.
    var scout = self
    _ = scout.recording(plans)
    var reader = self
    reader.api = scout.origins.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
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
      // A thread knows what the whole plan gives, and what it has saved itself.
      let (given, known) = (variables.given, importer.given)
      for child in below where isRead(child) {
        switch child.kind {
        case "ThreadGroup":
          (variables.given, importer.given) = (given, known)
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
    recording.take(plan, base: importer.base, api: api)
    left += plan.remarks
    recording.left = left
    recording.variables = importer.variables.union(variables.environment)
    return recording
  }

  private mutating func isRead(_ node: JMeterNode) -> Bool {
    if !node.isEnabled { left.append("\(node.name): it is switched off") }
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
        if !inner.isEmpty { steps.append(.group(node.name, inner)) }
      case "LoopController":
        let inner = self.steps(node.children, scope)
        let count = node.number("LoopController.loops", variables).flatMap { Int(exactly: $0) } ?? -1
        if count < 0 { left.append("\(node.name): its loop without an end; its steps run once") }
        if !inner.isEmpty { steps += count > 1 ? [.repeated(count, inner)] : inner }
      case "GenericController", "RecordingController", "CriticalSectionController":
        steps += self.steps(node.children, scope)
      case "TestAction":
        if node["ActionProcessor.action"] == "1", let pause = node.number("ActionProcessor.duration", variables) {
          steps.append(.think(Self.milliseconds(pause)))
        } else {
          leave(node)
        }
      case let kind where kind.hasSuffix("Controller") || kind == "InterleaveControl" || kind == "RunTime":
        left.append("\(node.name): what a \(kind) decides; its steps run once, in their order")
        steps += self.steps(node.children, scope)
      default: leave(node)
      }
    }
    return steps
  }

  /// Elements that only look at a test, and those that other places read.
  private static let silent: Set<String> = [
    "ResultCollector", "BackendListener", "Summariser", "CookieManager", "CSVDataSet", "Arguments", "DebugSampler",
    "ViewResultsFullVisualizer", "CacheManager",
  ]

  private mutating func leave(_ node: JMeterNode) {
    guard !Self.silent.contains(node.kind), !JMeterScope.kinds.contains(node.kind) else { return }
    let reason =
      JMeterScope.extractorKinds.contains(node.kind)
      ? "it reads the answers of many requests; `save` stands at one call" : "a \(node.kind) has no counterpart"
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
      variables.constants[name] = variables.withConstants(value)
    }
  }
}
