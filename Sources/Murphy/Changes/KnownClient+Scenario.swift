import MurphyContract
import MurphyScenario
import MurphySchema

extension KnownClient {
  /// The calls of a scenario, with the fields that their steps send and read.
  init(_ scenario: Scenario, _ file: String, _ contract: Contract) {
    var use = ClientUse(file: file, kind: .scenario)
    let matcher = OperationMatcher(contract)
    var others = 0
    for script in scenario.scripts {
      var called: Set<Int> = []
      for call in script.calls {
        let undocumented = call.operation.undocumented
        let known =
          undocumented.map { request in
            matcher.match(request.method.rawValue, String(request.path.prefix { $0 != "?" }))?.operation
          } ?? call.operation.index
        guard let index = known else {
          others += 1
          continue
        }
        called.insert(index)
        use.operations[index, default: OperationUse()].add(call, script.client)
      }
      // An expression reads the last response, and branches decide which one that is.
      for query in script.allSteps.flatMap(\.reads) {
        for index in called {
          use.operations[index]?.reads.insert(query.map { FieldUse($0) } ?? .everything)
          if query == nil { use.operations[index]?.headers = nil }
        }
      }
    }
    for tap in scenario.expectations.state.flatMap(\.taps) {
      guard let index = tap.operation.index else { continue }
      use.operations[index]?.reads.insert(.everything)
    }
    (self.use, self.others) = (use, others)
  }
}

extension OperationUse {
  fileprivate mutating func add(_ call: CallStep, _ client: ClientProfile) {
    // A URL from a response may contain any parameter.
    sendsUnknownParameters = sendsUnknownParameters || call.url != nil || call.operation.undocumented != nil
    let sent: [(Contract.Parameter.Location, [NamedTemplate])] = [
      (.path, call.path), (.query, call.query), (.header, call.headers), (.cookie, call.cookies),
    ]
    for (location, values) in sent {
      for value in values {
        var uses: Set<FieldUse> = [.everything]
        if case .constant(let constant) = value.value.content { uses = Self.parameter(constant) }
        parameters[ParameterKey(location, value.name), default: []].formUnion(uses)
      }
    }
    for header in client.headers { parameters[ParameterKey(.header, header.name), default: []].insert(.everything) }
    addBody(of: call)
    // A client that waits reads it without a step.
    headers?.insert("retry-after")
    for save in call.saves { add(save.source) }
    reads.formUnion(call.checks.body.map { FieldUse($0.path) })
    headers?.formUnion(call.checks.headers.map { $0.name.lowercased() })
    if call.isGraphQL { reads.insert(.everything) }
  }

  private mutating func add(_ source: Save.Source) {
    switch source {
    case .body(let path): reads.insert(FieldUse(path))
    case .text: reads.insert(.everything)
    case .header(let name): headers?.insert(name.lowercased())
    case .cookie: headers?.insert("set-cookie")
    case .link: headers?.insert("link")
    case .status: break
    }
  }

  private mutating func addBody(of call: CallStep) {
    switch call.body {
    case nil: break
    case .json(let template, _): body.formUnion(Self.fields(template.content, []))
    case .form(let fields): body.formUnion(fields.flatMap { Self.fields($0.value.content, [.name($0.name)]) })
    case .multipart(let parts): body.formUnion(parts.map { FieldUse([.name($0.name)], .whole) })
    case .text, .file: body.insert(.everything)
    }
  }

  private static func fields(_ content: Template.Content, _ path: [JSONPath.Step]) -> Set<FieldUse> {
    switch content {
    case .constant(let value):
      Set(FieldUse.fields(of: value, keepsValues: true).map { FieldUse(path + $0.path, $0.extent) })
    case .expression, .text: [FieldUse(path, .whole)]
    case .array(let items):
      items.reduce(into: [FieldUse(path, .present)]) { $0.formUnion(fields($1, path + [.item(nil)])) }
    case .object(let members):
      members.reduce(into: [FieldUse(path, .present)]) { $0.formUnion(fields($1.value, path + [.name($1.name)])) }
    }
  }
}
