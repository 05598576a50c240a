import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema

/// All cases of one operation, one change at a time, based on a call that succeeded.
struct OperationCases {
  let contract: Contract
  /// The chain with the base of all cases as its last call.
  let base: [ExploreCall]
  let check: RequestCheck
  let trials: SchemaTrials
  let hasOtherUser: Bool
  /// The field of the body with the client's name for a new item: it is not changed.
  var chosenName: String?
  var isCollection = false
  private let rule: WriteRule
  /// The names of the headers that the user adds to every request, in lower case.
  private let given: Set<String>
  var sample: ContractSample

  var call: ExploreCall { base[base.count - 1] }
  var operation: Contract.Operation { contract.operations[call.operation] }

  init(_ setting: ExploreConfiguration, base: [ExploreCall], trials: SchemaTrials, hasOtherUser: Bool) {
    contract = setting.contract
    rule = setting.rule
    given = Set(setting.callers.headers.map { $0.name.lowercased() })
    self.base = base
    self.trials = trials
    self.hasOtherUser = hasOtherUser
    check = RequestCheck(contract, operations: [base[base.count - 1].operation])
    sample = ContractSample(contract)
  }

  /// True if a request with an undocumented method changes only items that explore has created.
  func mayTry(_ method: String) -> Bool {
    if WriteRule.isSafe(method) || rule.isNamed(operation) { return true }
    guard WriteRule.item(in: operation.path) != nil else { return method == "POST" && isCollection }
    return ChainPlanner.isOwn(call, base, contract)
  }

  /// True if values of path parameters may be arbitrary. A request that changes an item names one that explore has
  /// created.
  private var takesPaths: Bool { WriteRule.isSafe(operation.method) || rule.isNamed(operation) }

  /// By priority; each once.
  mutating func all() -> [ExploreCase] {
    var cases = credentials() + protocolCases() + exchanges()
    for parameter in operation.parameters where !isSkipped(parameter) { cases += self.cases(of: parameter) }
    cases += bodyCases()
    var seen: Set<[ExploreCall]> = [base]
    return cases.filter { seen.insert($0.steps).inserted }
  }

  func made(
    _ expectation: ExploreCase.Expectation, _ category: ExploreCase.Category, _ place: String, _ constraint: String,
    _ about: String, value: JSONValue? = nil, _ change: (inout ExploreCall) -> Void
  ) -> ExploreCase {
    var call = call
    change(&call)
    return ExploreCase(
      steps: base.dropLast() + [call], expectation: expectation, category: category, place: place,
      constraint: constraint, about: about, value: value)
  }

  /// The expected response of a case; nil for a case that does not have its intended property.
  static func expectation(_ intent: ValueTrial.Intent, isValid: Bool, isHeldToAccept: Bool) -> ExploreCase.Expectation?
  {
    switch intent {
    case .kept: isValid ? (isHeldToAccept ? .accepted : .anything) : nil
    case .broken: isValid ? nil : .refused
    case .unsaid: isValid ? .anything : .refused
    }
  }

  /// True for parameters that `security` or a condition provides, or that identify the client.
  private func isSkipped(_ parameter: Contract.Parameter) -> Bool {
    contract.isCredential(parameter, of: operation) || parameter.isCondition
      || call.headers.contains { $0.name == parameter.name && $0.value.literal == nil }
      || parameter.location == .header
        && (given.contains(parameter.name.lowercased())
          || ["accept", "content-type", "if-none-match", "if-modified-since", "if-unmodified-since", "range"].contains(
            parameter.name.lowercased()))
  }
}

extension OperationCases {
  private mutating func cases(of parameter: Contract.Parameter) -> [ExploreCase] {
    let place = "\(parameter.location.rawValue) \(parameter.name)"
    guard let base = literal(of: parameter), parameter.location != .path || takesPaths else { return [] }
    guard let schema = parameter.schema else { return texts(parameter, place, base) }
    var cases: [ExploreCase] = []
    if parameter.isRequired, parameter.location != .path {
      cases.append(
        made(.refused, .negative, place, "required", "\(parameter.name) omitted") { $0.set(parameter, nil) })
    } else if parameter.location != .path {
      let isFree = Self.isFreeText(schema.located.value)
      cases.append(
        made(isFree ? .anything : .accepted, .positive, place, "optional", "with \(parameter.name)", value: base) {
          $0.set(parameter, .literal(base))
        })
    }
    var texts = TextPlaces(contract)
    for trial in trials.trials(of: schema, base: base) {
      guard let value = trial.applied(to: base), parameter.canCarry(value) else { continue }
      // In the request, a number or a boolean is a string.
      if trial.constraint == "type", value.scalarText != nil, check.allowsText(schema) { continue }
      // Any text is an object in this style: `?name=value` has the field `name`.
      let isExploded = parameter.location == .query && parameter.style == .form && parameter.explode
      if trial.constraint == "type", isExploded, schema.located.value["type"] == "object" { continue }
      let broken = check.mistakes(
        operation: call.operation, parameter: parameter.name, in: parameter.location, value)
      // The contract does not define if an item with that name exists. It does not define the meaning of a free string
      // either.
      let isFree =
        parameter.location == .path || Self.isFreeText(schema.located.value) && !Self.isSearch(parameter.name)
      guard let expectation = Self.expectation(trial.intent, isValid: broken.isEmpty, isHeldToAccept: !isFree) else {
        continue
      }
      cases.append(
        made(
          expectation, expectation == .refused ? .negative : .positive, place,
          Self.constraint(of: trial, broken, texts.places(of: schema, in: value)), trial.about, value: value
        ) { $0.set(parameter, .literal(value)) })
    }
    if case .number = base { cases += notations(parameter, place) }
    cases += wildcards(parameter, place)
    if parameter.location == .query, let text = base.scalarText {
      let name = PercentEncoding.encode(parameter.name, keepingReserved: false)
      let value = PercentEncoding.encode(text, keepingReserved: false)
      cases.append(
        made(.anything, .negative, place, "repeated", "\(parameter.name) twice") {
          $0.set(parameter, nil)
          $0.rawQuery = "\(name)=\(value)&\(name)=\(value)"
        })
      cases.append(
        made(.anything, .negative, place, "empty", "\(parameter.name) without a value") {
          $0.set(parameter, nil)
          $0.rawQuery = "\(name)="
        })
    }
    return cases
  }

  /// The value that the cases of a parameter are based on.
  private mutating func literal(of parameter: Contract.Parameter) -> JSONValue? {
    if parameter.location == .path, let value = call.path[parameter.name]?.literal { return value }
    let named = (call.query + call.headers + call.cookies).first { $0.name == parameter.name }
    return named?.value.literal ?? sample.value(of: parameter)
  }

  /// An invalid value is assigned to the one keyword of the schema that it violates. Other cases violate it as well. A
  /// value that violates only the format is assigned to the format.
  ///
  /// - Parameter places: the strings of the tested value.
  static func constraint(
    of trial: ValueTrial, _ broken: [ContractViolation], _ places: [TextPlaces.Place]
  ) -> String {
    guard trial.intent == .unsaid, !broken.isEmpty else { return trial.constraint }
    let keywords = Set(broken.compactMap { $0.schemaPointer?.split(separator: "/").last.map(String.init) })
      .subtracting(["format"])
    if keywords.count == 1, let keyword = keywords.first, ["pattern", "minLength", "maxLength"].contains(keyword) {
      return keyword
    }
    let hasFormat = places.contains { $0.pointer == trial.pointer && $0.format != nil }
    return hasFormat ? "format" : trial.constraint
  }

  /// Formats of strings that name a resource: the contract does not define if it exists.
  static let addresses: Set<String> = [
    "uri", "uri-reference", "iri", "iri-reference", "url", "hostname", "idn-hostname",
  ]

  /// True also for a list of free strings, and one that may be null, as FastAPI writes each optional parameter.
  static func isFreeText(_ schema: JSONValue) -> Bool {
    if schema["type"]?.string == "array", let items = schema["items"], items.object != nil { return isFreeText(items) }
    if let branches = schema["anyOf"]?.array ?? schema["oneOf"]?.array, schema["type"] == nil {
      let others = branches.filter { $0["type"]?.string != "null" }
      return !others.isEmpty && others.allSatisfy(isFreeText)
    }
    let types = (schema["type"]?.array ?? [schema["type"] ?? .string("string")]).filter { $0 != .string("null") }
    let isText = types == [.string("string")]
    let isOpen = schema["format"].map { $0.string.map(addresses.contains) ?? false } ?? true
    return isText && isOpen && ["enum", "const", "$ref", "anyOf", "oneOf"].allSatisfy { schema[$0] == nil }
  }

  static func isSearch(_ name: String) -> Bool {
    ["q", "query", "search", "text", "keyword", "keywords", "term"].contains(name.lowercased())
  }
}

extension JSONValue {
  /// A scalar in the form of a query; nil for null, lists and objects.
  var scalarText: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }
}

extension ExploreCall {
  /// Sets a parameter, or omits it.
  mutating func set(_ parameter: Contract.Parameter, _ value: CallValue?) {
    func replace(_ list: inout [Named]) {
      list.removeAll { $0.name == parameter.name }
      if let value { list.append(Named(name: parameter.name, value: value)) }
    }
    switch parameter.location {
    case .path: path[parameter.name] = value
    case .query: replace(&query)
    case .header: replace(&headers)
    case .cookie: replace(&cookies)
    }
  }
}

extension Contract.Parameter {
  /// True if a request can carry the value: absent values are not sent, and a path has no empty segment.
  package func canCarry(_ value: JSONValue) -> Bool {
    switch value {
    case .null: return false
    case .array(let items): return !items.isEmpty && items.allSatisfy { $0.scalarText?.isEmpty == false }
    case .object(let members): return !members.isEmpty && members.values.allSatisfy { $0.scalarText?.isEmpty == false }
    case .string(let text):
      // Servers resolve encoded slashes and dots, so that another route responds.
      if location == .path {
        // By scalar: a slash and a combining mark after it are one `Character`.
        let isSplit = text.unicodeScalars.contains { $0 == "/" || $0 == "\\" }
        return !text.isEmpty && !isSplit && ![".", ".."].contains(text)
      }
      if location == .header || location == .cookie {
        return text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && text.first != " " && text.last != " "
      }
      return true
    default: return true
    }
  }
}
