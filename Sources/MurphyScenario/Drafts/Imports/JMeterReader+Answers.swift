import Foundation
import MurphyContract
import MurphySchema

/// The values that a plan extracts from responses, and its assertions on them.
extension JMeterReader {
  /// The values that a sampler's extractors keep, and the steps that pick one of several matches.
  mutating func saves(
    _ extractors: [JMeterNode], of node: JMeterNode
  ) -> (saves: [DraftedSave], sets: [DraftedStep]) {
    var saves: [DraftedSave] = []
    var sets: [DraftedStep] = []
    for extractor in extractors {
      guard let rules = rules(extractor) else {
        left.append("\(node.name): \(extractor.name); its pattern does not select a field of a JSON document")
        continue
      }
      for rule in rules {
        let name = DraftNames.variable(rule.name)
        tool.variables.given[rule.name] = name
        let isSingle = rule.path.wholeMatch(of: /\$(?:\.[A-Za-z_][\w]*|\[[0-9]+\]|\['[^']*'\])*/) != nil
        let list = isSingle || rule.match < 0 ? name : name + "List"
        let save = DraftedSave(name: list, source: .body(rule.path))
        saves.append(rule.hasDefault ? save.optional : save)
        guard list != name else { continue }
        let pick = rule.match == 0 ? "pick(\(list))" : "\(list)[\(rule.match - 1)]"
        sets.append(.set(name: name, expression: pick))
      }
    }
    return (saves, sets)
  }

  private struct Rule {
    var name: String
    var path: String
    /// Counted from 1. 0 means any one match; a negative number means all.
    var match: Int
    var hasDefault: Bool
  }

  /// Nil if it cannot be read as a query of a JSON document.
  private func rules(_ node: JMeterNode) -> [Rule]? {
    switch node.kind {
    case "JSONPostProcessor":
      func list(_ property: String) -> [String] {
        (node["JSONPostProcessor.\(property)"] ?? "").split(separator: ";", omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
      let (names, paths) = (list("referenceNames"), list("jsonPathExprs"))
      let (numbers, defaults) = (list("match_numbers"), list("defaultValues"))
      guard names.count == paths.count, paths.allSatisfy({ (try? JSONPath($0)) != nil }) else { return nil }
      return names.indices.map { index in
        Rule(
          name: names[index], path: paths[index], match: Int(numbers.dropFirst(index).first ?? "") ?? 1,
          hasDefault: defaults.dropFirst(index).first?.isEmpty == false)
      }
    case "RegexExtractor":
      // "id"\s*:\s*"?(\d+)"?
      guard !["true", "URL", "code", "message"].contains(node["RegexExtractor.useHeaders"] ?? ""),
        let pattern = node["RegexExtractor.regex"], let name = node["RegexExtractor.refname"],
        let found = pattern.wholeMatch(of: /"([A-Za-z_]\w*)"(?:\\s\*|\s)*:(?:\\s\*|\s)*"?\??\([^()]*\)[",}\]]?.?/)
      else { return nil }
      return [rule(name, member: String(found.1), node["RegexExtractor.match_number"], node["RegexExtractor.default"])]
    case "BoundaryExtractor":
      guard let start = node["BoundaryExtractor.lboundary"], let name = node["BoundaryExtractor.refname"],
        let found = start.wholeMatch(of: /"([A-Za-z_]\w*)"\s*:\s*"?/)
      else { return nil }
      return [
        rule(name, member: String(found.1), node["BoundaryExtractor.match_number"], node["BoundaryExtractor.default"])
      ]
    default: return nil
    }
  }

  private func rule(_ name: String, member: String, _ match: String?, _ other: String?) -> Rule {
    Rule(name: name, path: "$..\(member)", match: match.flatMap { Int($0) } ?? 1, hasDefault: other != nil)
  }

  mutating func expect(_ assertion: JMeterNode, of node: JMeterNode, _ call: inout DraftedCall) {
    switch assertion.kind {
    case "ResponseAssertion":
      let kind = assertion["Assertion.test_type"].flatMap { Int($0) } ?? 2
      let texts = assertion.element.members("Asserion.test_strings").map {
        $0.text.trimmingCharacters(in: .whitespaces)
      }
      let codes = texts.compactMap { Int($0) }
      // 4 is "not".
      guard assertion["Assertion.test_field"] == "Assertion.response_code", kind & 4 == 0, codes.count == texts.count
      else {
        return left.append(
          "\(node.name): \(assertion.name); the import supports only checks of the status and of JSON fields")
      }
      call.statuses += codes.filter { $0 >= 300 && !call.statuses.contains($0) }
    case "JSONPathAssertion":
      guard let path = assertion["JSON_PATH"], (try? JSONPath(path)) != nil, !assertion.isTrue("INVERT"),
        !assertion.isTrue("EXPECT_NULL")
      else {
        return left.append(
          "\(node.name): \(assertion.name); the scenario language does not support its path or its condition")
      }
      let text = assertion["EXPECTED_VALUE"] ?? ""
      let isPattern = assertion.isTrue("JSONVALIDATION") && assertion["ISREGEX"] != "false"
      let isLiteral = text.wholeMatch(of: /[\w .,:@\/-]*/) != nil
      if isPattern, !isLiteral {
        left.append(
          "\(node.name): \(assertion.name); instead of its pattern, the scenario only checks that the field is present")
      }
      let expects = assertion.isTrue("JSONVALIDATION") && (!isPattern || isLiteral)
      call.finds.append((path, expects ? (try? JSONValue.parse(Array(text.utf8))) ?? .string(text) : nil))
    case "DurationAssertion":
      left.append(
        "\(node.name): \(assertion.name); to limit the response time to "
          + "\(assertion["DurationAssertion.duration"] ?? "?") ms, "
          + "write `budgets: { \(DraftText.word(call.operation)): { max: … } }`")
    default: break
    }
  }
}
