import Foundation
import MurphyContract

/// An element of a test plan with its children. In the file they are siblings: each element is followed by a `hashTree`
/// with its children.
struct JMeterNode {
  let element: XMLElement
  let children: [JMeterNode]

  static func nodes(in tree: XMLElement) -> [JMeterNode] {
    var nodes: [JMeterNode] = []
    for (index, child) in tree.children.enumerated() where child.name != "hashTree" {
      let next = tree.children.dropFirst(index + 1).first
      nodes.append(JMeterNode(element: child, children: next?.name == "hashTree" ? next.map(Self.nodes) ?? [] : []))
    }
    return nodes
  }

  /// Its kind: `HTTPSamplerProxy`.
  var kind: String { element.name }
  /// The name that a person gave it.
  var name: String { element["testname"] ?? kind }
  var isEnabled: Bool { element["enabled"] != "false" }

  /// A property as text, with variables written `{{name}}`; nil if it is missing or empty.
  subscript(property: String) -> String? { element.property(property) }

  func isTrue(_ property: String) -> Bool { self[property] == "true" }

  /// Timer values in milliseconds.
  func number(_ property: String, _ variables: ToolVariables) -> Double? {
    self[property].flatMap { Double(variables.withConstants($0)) }
  }
}

extension XMLElement {
  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// A child property: `<stringProp name="HTTPSampler.path">/laws</stringProp>`.
  func property(_ name: String) -> String? {
    guard let text = part(name)?.text.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
    return JMeterText.withNames(text)
  }

  /// The element of a property, which may contain others.
  func part(_ name: String) -> XMLElement? { children.first { $0["name"] == name } }

  /// The elements of a list: `<collectionProp name="HeaderManager.headers">`.
  func members(_ name: String) -> [XMLElement] { part(name)?.children ?? [] }
}

/// JMeter's notation for values that are unknown before the test runs.
enum JMeterText {
  /// `${name}` becomes `{{name}}`. A property with a default, `${__P(users,10)}`, becomes its default.
  static func withNames(_ text: String) -> String {
    text.replacing(/\$\{([^{}]+)\}/) { match -> String in
      if let property = match.1.wholeMatch(of: /__(?:P|property)\([^,()]*,(?:[^,()]*,)?([^,()]*)\)/) {
        return String(property.1)
      }
      return "{{\(match.1)}}"
    }
  }

  /// A JMeter function in the scenario's language; nil without an equivalent.
  static func function(_ call: String) -> String? {
    guard let match = call.wholeMatch(of: /__(\w+)(?:\((.*)\))?/) else { return nil }
    let arguments = (match.2 ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    switch match.1 {
    case "UUID": return "${uuid()}"
    case "time" where arguments.first?.isEmpty != false: return "${now(ms)}"
    case "threadNum": return "${user}"
    case "Random":
      guard arguments.count >= 2, let low = Int(arguments[0]), let high = Int(arguments[1]) else { return nil }
      return "${int(\(low), \(high))}"
    case "RandomString":
      guard let length = arguments.first.flatMap({ Int($0) }), length > 0 else { return nil }
      return "${string(\(length))}"
    case "counter": return "${seq()}"
    default: return nil
    }
  }
}

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
