import Foundation
import MurphyContract
import MurphyModel
import MurphySchema

/// Reads workflows (Arazzo 1.0 and 1.1): each becomes a session, and step outputs become `save`.
struct ArazzoReader {
  private let contract: Contract
  private var variables: Set<String> = []
  private var left: [String] = []

  init(_ contract: Contract) { self.contract = contract }

  func recording(_ root: JSONValue) -> Recording {
    var reader = self
    var recording = Recording()
    for workflow in root["workflows"]?.array ?? [] {
      let name = workflow["workflowId"]?.string ?? workflow["summary"]?.string ?? "workflow"
      recording.add(name, reader.steps(workflow, name))
    }
    (recording.left, recording.variables) = (reader.left, reader.variables)
    return recording
  }

  private mutating func steps(_ workflow: JSONValue, _ name: String) -> [DraftedStep] {
    var steps: [DraftedStep] = []
    let scope = Scope(inputs: workflow["inputs"] ?? .null)
    if workflow["dependsOn"] != nil { left.append("\(name): dependsOn, because sessions do not wait for each other") }
    for step in workflow["steps"]?.array ?? [] {
      let id = step["stepId"]?.string ?? "step"
      guard let operation = operation(of: step) else {
        left.append("\(name), step \(id): \(Self.reason(step))")
        continue
      }
      for key in ["onSuccess", "onFailure", "timeout", "dependsOn"] where step[key] != nil {
        left.append("\(name), step \(id): \(key)")
      }
      steps.append(.call(call(step, operation, in: "\(name), step \(id)", id, scope)))
    }
    return steps
  }

  /// The reason why a step is not a call.
  private static func reason(_ step: JSONValue) -> String {
    if step["workflowId"] != nil { return "it runs another workflow" }
    let isMessage = step["channelPath"] != nil || step["action"] != nil
    return isMessage ? "it sends or receives a message (AsyncAPI)" : "its operation is not in the contract"
  }

  private func operation(of step: JSONValue) -> Int? {
    if let id = step["operationId"]?.string {
      return contract.index(of: id.hasPrefix("$") ? id.split(separator: ".").last.map(String.init) ?? id : id)
    }
    // {$sourceDescriptions.laws.url}#/paths/~1laws~1{id}/get
    return step["operationPath"]?.string.flatMap(Contract.operationName(reference:)).flatMap(contract.index(of:))
  }

  private mutating func call(
    _ step: JSONValue, _ operation: Int, in place: String, _ id: String, _ scope: Scope
  ) -> DraftedCall {
    var call = DraftedCall(operation: contract.operations[operation].id)
    for parameter in step["parameters"]?.array ?? [] {
      guard let name = parameter["name"]?.string, let value = parameter["value"] else {
        left.append("\(place): a parameter that is a reference")
        continue
      }
      guard value["selector"] == nil, parameter["in"] != "querystring" else {
        left.append("\(place): the parameter \(name) (a selector or a whole query)")
        continue
      }
      let drafted = drafted(value, scope)
      switch parameter["in"]?.string {
      case "path": call.path.append((name, drafted))
      case "query": call.query.append((name, drafted))
      case "cookie": call.cookies.append((name, drafted))
      default: call.headers.append((name, drafted))
      }
    }
    if let payload = step["requestBody"]?["payload"] {
      let type = step["requestBody"]?["contentType"]?.string
      let value = replaced(payload, scope)
      if type == "application/x-www-form-urlencoded", case .object(let members) = value {
        call.body = .form(members)
      } else if type == "multipart/form-data", case .object(let members) = value, !members.members.isEmpty {
        call.body = .multipart(
          members.members.map { DraftedPart(name: $0.key, value: $0.value, fileName: nil, type: nil) })
      } else {
        call.body = .json(value, contentType: type == "application/json" ? nil : type)
      }
    }
    for criterion in step["successCriteria"]?.array ?? [] {
      let text = criterion["condition"]?.string ?? ""
      if let match = text.wholeMatch(of: /\s*\$statusCode\s*==\s*([0-9]{3})\s*/), criterion["type"] == nil {
        if let status = Int(match.1), status >= 300 { call.statuses.append(status) }
      } else {
        left.append("\(place): the criterion \(text)")
      }
    }
    for (name, value) in step["outputs"]?.object ?? JSONObject() {
      guard let save = Self.save(value, Scope.name(id, name)) else {
        left.append("\(place): the output \(name)")
        continue
      }
      call.saves.append(save)
    }
    return call
  }

  private static func save(_ output: JSONValue, _ name: String) -> DraftedSave? {
    let expression = output.string ?? ""
    // A selector object (Arazzo 1.1)
    if output["context"] == "$response.body", let selector = output["selector"]?.string {
      switch output["type"]?.string ?? output["type"]?["type"]?.string {
      case "jsonpath": return (try? JSONPath(selector)).map { _ in DraftedSave(name: name, source: .body(selector)) }
      case "jsonpointer":
        return JSONPointer(selector).map { DraftedSave(name: name, source: .body(Producers.query($0.tokens))) }
      default: return nil
      }
    }
    if expression.hasPrefix("$response.body#"), let pointer = JSONPointer(String(expression.dropFirst(15))) {
      return DraftedSave(name: name, source: .body(Producers.query(pointer.tokens)))
    }
    if expression == "$response.body" { return DraftedSave(name: name, source: .body("$")) }
    if expression.hasPrefix("$response.header.") {
      return DraftedSave(name: name, source: .header(String(expression.dropFirst(17))))
    }
    return nil
  }

  /// The names that expressions of one workflow may use.
  private struct Scope {
    var inputs: JSONValue

    static func name(_ step: String, _ output: String) -> String { DraftNames.variable(step + " " + output) }

    /// An input's value, if its schema contains one.
    func value(of input: String) -> JSONValue? {
      let schema = inputs["properties"]?[input]
      return schema?["default"] ?? schema?["example"] ?? schema?["const"] ?? schema?["enum"]?.array?.first
    }
  }

  private mutating func drafted(_ value: JSONValue, _ scope: Scope) -> DraftedValue {
    let result = replaced(value, scope)
    return if case .string(let text) = result { .template(text) } else { .constant(result) }
  }

  private mutating func replaced(_ value: JSONValue, _ scope: Scope) -> JSONValue {
    value.mapTexts { text in
      if text.hasPrefix("$"), !text.contains(" ") { return word(text, scope) }
      var copy = ""
      var rest = text[...]
      // {$steps.add.outputs.id} within a string
      while let match = rest.firstMatch(of: /\{(\$(?:steps|inputs|workflows)\.[^{}]+)\}/) {
        let word = word(String(match.1), scope)
        copy += String(rest[..<match.range.lowerBound]).literal + (word.string ?? word.text)
        rest = rest[match.range.upperBound...]
      }
      return .string(copy + String(rest).literal)
    }
  }

  /// `$inputs.name`, `$steps.add.outputs.id`
  private mutating func word(_ text: String, _ scope: Scope) -> JSONValue {
    let parts = text.split(separator: ".").map(String.init)
    if parts.first == "$steps", parts.count >= 4, parts[2] == "outputs" {
      return .string("${\(Scope.name(parts[1], parts[3...].joined(separator: ".")))}")
    }
    if parts.first == "$inputs", parts.count >= 2 {
      let name = parts[1...].joined(separator: ".")
      if !SecretName.isSecret(name), let value = scope.value(of: name) { return value.literal }
      let variable = RecordedSecrets.variable(name)
      variables.insert(variable)
      return .string("${env(\(variable))}")
    }
    return .string(text.literal)
  }
}
