import MurphyContract

/// The settings for the samplers of a part of a plan: elements at the same level and above.
struct JMeterScope {
  /// From "HTTP Request Defaults".
  var defaults: [String: String] = [:]
  var headers: [(name: String, value: String)] = []
  /// Pauses before each sampler.
  var timers: [JMeterNode] = []
  var assertions: [JMeterNode] = []
  /// Extractors that belong to one sampler.
  var extractors: [JMeterNode] = []

  static let kinds: Set<String> = [
    "ConfigTestElement", "HeaderManager", "ConstantTimer", "UniformRandomTimer", "GaussianRandomTimer",
    "ResponseAssertion", "JSONPathAssertion", "DurationAssertion",
  ]
  static let extractorKinds: Set<String> = ["JSONPostProcessor", "RegexExtractor", "BoundaryExtractor"]

  func with(_ nodes: [JMeterNode], isSampler: Bool = false) -> JMeterScope {
    var copy = self
    for node in nodes where node.isEnabled {
      switch node.kind {
      case "ConfigTestElement":
        for key in ["domain", "port", "protocol", "path"] {
          if let value = node["HTTPSampler.\(key)"] { copy.defaults[key] = value }
        }
      case "HeaderManager":
        for header in node.element.members("HeaderManager.headers") {
          guard let name = header.property("Header.name") else { continue }
          copy.headers.removeAll { $0.name.lowercased() == name.lowercased() }
          copy.headers.append((name, header.property("Header.value") ?? ""))
        }
      case "ConstantTimer", "UniformRandomTimer", "GaussianRandomTimer": copy.timers.append(node)
      case "ResponseAssertion", "JSONPathAssertion", "DurationAssertion": copy.assertions.append(node)
      case _ where Self.extractorKinds.contains(node.kind) && isSampler: copy.extractors.append(node)
      default: break
      }
    }
    return copy
  }
}
