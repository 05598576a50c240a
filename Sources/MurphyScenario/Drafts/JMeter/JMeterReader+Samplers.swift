import Foundation
import MurphyContract
import MurphyModel

extension JMeterReader {
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
    left.append("\(node.name): \(child.name); a \(child.kind) has no counterpart")
  }

  private mutating func pause(_ timer: JMeterNode) -> DraftedStep? {
    guard let delay = timer.number("ConstantTimer.delay", tool.variables) else {
      left.append("\(timer.name): its delay is not a number")
      return nil
    }
    let range = timer.number("RandomTimer.range", tool.variables) ?? 0
    switch timer.kind {
    case "ConstantTimer": return .think(Self.milliseconds(delay))
    case "UniformRandomTimer": return .think("\(Self.milliseconds(delay))..\(Self.milliseconds(delay + range))")
    default: return .think("normal(\(Self.milliseconds(delay)), \(Self.milliseconds(range)))")
    }
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
      left.append("\(node.name): it is sent to \(origin ?? "another server")")
      return nil
    }
    guard !node.isTrue("HTTPSampler.DO_MULTIPART_POST"),
      node.element.part("HTTPsampler.Files")?.children.isEmpty != false
    else {
      left.append("\(node.name): its body is multipart/form-data, which no step can send")
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
