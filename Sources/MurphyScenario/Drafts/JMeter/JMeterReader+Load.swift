import Foundation
import MurphyContract

extension JMeterReader {
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
        left.append("\(node.name): its column names are only in \(path); rows are read as ${\(feed).column}")
      } else if node["ignoreFirstLine"] != "true" {
        left.append("\(node.name): the first line of \(path) has to be \(names.joined(separator: ","))")
      }
      if let mark = node["delimiter"], mark != "," {
        left.append("\(node.name): its delimiter \(mark); a comma is read")
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
}
