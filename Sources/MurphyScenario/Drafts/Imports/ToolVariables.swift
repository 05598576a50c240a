import MurphyContract
import MurphyModel
import MurphySchema

/// Variables of another tool in the strings of a call, written `{{name}}`, with their equivalents in the scenario's
/// language.
struct ToolVariables {
  /// Values that the file contains.
  var constants: [String: String] = [:]
  /// Expressions for values from responses of the session, or from rows of a feed.
  var given: [String: String] = [:]
  /// Environment variable names for all other variables.
  private(set) var environment: Set<String> = []
  /// The template for a function of the tool; nil if it is not a function.
  private let function: (String) -> String?

  init(_ function: @escaping (String) -> String?) { self.function = function }

  func withConstants(_ text: String) -> String {
    text.replacing(/\{\{\s*([^{}]+?)\s*\}\}/) { constants[String($0.1)] ?? String($0.0) }
  }

  /// `{ "id": {{id}} }` is not JSON; `{ "id": "{{id}}" }` is.
  static func quoted(_ text: String) -> String {
    text.replacing(/([:\[,]\s*)(\{\{[^{}"]+\}\})/) { "\($0.1)\"\($0.2)\"" }
  }

  /// The call in the scenario's language.
  mutating func resolved(_ call: DraftedCall) -> DraftedCall {
    var call = call
    call.path = call.path.map { ($0.name, resolved($0.value)) }
    call.query = call.query.map { ($0.name, resolved($0.value)) }
    call.headers = call.headers.map { ($0.name, resolved($0.value)) }
    if let known = call.request { call.request = (known.method, template(known.url)) }
    switch call.body {
    case .json(let value, let type)?: call.body = .json(resolved(value), contentType: type)
    case .form(let members)?: call.body = .form(JSONObject(members.map { ($0.key, resolved($0.value)) }))
    case .multipart(var parts)?:
      for index in parts.indices { parts[index].value = resolved(parts[index].value) }
      call.body = .multipart(parts)
    case .text(let text, let type)?: call.body = .text(template(text), contentType: type)
    case nil: break
    }
    return call
  }

  /// The template for a text that may contain `{{name}}`.
  mutating func template(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: /\{\{\s*([^{}]+?)\s*\}\}/) {
      result += rest[..<match.range.lowerBound]
      rest = rest[match.range.upperBound...]
      let name = String(match.1)
      if let expression = given[name] {
        result += "${\(expression)}"
      } else if let constant = constants[name], !SecretName.isSecret(name) {
        // A constant does not become part of an expression, regardless of the adjacent text.
        result += result.hasSuffix("$") && constant.hasPrefix("{") ? "$" : ""
        result += constant.literal
        result += constant.hasSuffix("$") && rest.hasPrefix("{") ? "$" : ""
      } else if let word = function(name) {
        result += word
      } else {
        let variable = RecordedSecrets.variable(name)
        environment.insert(variable)
        result += "${env(\(variable))}"
      }
    }
    return result + rest
  }

  private mutating func resolved(_ value: DraftedValue) -> DraftedValue {
    guard case .constant(.string(let text)) = value, text.contains("{{") else { return value }
    let result = template(text.literal)
    return result.contains("${") ? .template(result) : .constant(.string(result))
  }

  private mutating func resolved(_ value: JSONValue) -> JSONValue { value.mapTexts { .string(template($0)) } }
}

/// Converts the requests of a tool's file into calls.
struct ToolImporter {
  private var importer: CallImporter
  var variables: ToolVariables
  /// The number of requests to each server. Requests to an unknown server have an empty name.
  private var origins: [String: Int] = [:]
  /// The server of most requests. Requests to other servers are not imported. Nil while it is unknown.
  var api: String?

  init(_ contract: Contract, _ function: @escaping (String) -> String?) {
    importer = CallImporter(contract)
    variables = ToolVariables(function)
  }

  /// The most frequent prefix before the contract's paths.
  var base: String { importer.base }
  /// Environment variables for secrets, and for variables without a value.
  var environment: Set<String> { importer.variables.union(variables.environment) }
  var mostFrequentOrigin: String { origins.mostFrequent }

  /// Counts a request to a server.
  ///
  /// - Returns: true if the server is the API's.
  mutating func isOfAPI(_ origin: String) -> Bool {
    origins[origin, default: 0] += 1
    return api == nil || api == origin
  }

  mutating func call(_ request: RecordedRequest) -> DraftedCall {
    importer.given = Set(variables.given.keys)
    return variables.resolved(importer.call(request))
  }
}

extension [String: Int] {
  /// The key with the highest count. If counts are equal, it is the first by name. Empty if there is none.
  var mostFrequent: String { self.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "" }
}
