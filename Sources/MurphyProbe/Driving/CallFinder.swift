import Foundation
import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

/// Finds out how an operation can be called: as the scenario's steps call it, else by the contract's examples.
struct CallFinder {
  private let scenario: Scenario
  private let contract: Contract
  private let plan: Plan
  private var sample: ContractSample

  /// - Parameter seed: of all draws, so that two probes are two strangers to the API.
  init(_ scenario: Scenario, _ contract: Contract, seed: UInt64) {
    self.scenario = scenario
    self.contract = contract
    plan = Plan(scenario: scenario, seed: seed)
    sample = ContractSample(contract)
  }

  /// - Parameter client: number of the virtual user who calls.
  /// - Throws: `GateError.usage` that says what is missing.
  mutating func call(_ operation: Int, client: Int) throws(GateError) -> OperationCall {
    let described = contract.operations[operation]
    let found = step(calling: operation)
    var call = OperationCall(operation: operation)
    var start = try begin(session: found?.session ?? 0, client: client)
    call.clientHeaders = start?.headers ?? []
    call.sourceAddress = start?.address
    if let step = found?.step, start != nil {
      // What reads answers of earlier calls cannot be evaluated: the contract's own examples stand in.
      for parameter in step.path { call.path[parameter.name] = evaluate(parameter.value, &start!) }
      call.query = step.query.compactMap { named in evaluate(named.value, &start!).map { (named.name, $0) } }
      call.headers = step.headers.compactMap { named in evaluate(named.value, &start!).map { (named.name, $0) } }
      call.cookies = step.cookies.compactMap { named in evaluate(named.value, &start!).map { (named.name, $0) } }
      call.body = step.body.flatMap { body(of: $0, operation, &start!) }
      addCredentials(of: found?.session ?? 0, to: &call, &start!)
    }
    try complete(&call, described)
    return call
  }

  /// Fills in what the operation requires and no step gives.
  private mutating func complete(_ call: inout OperationCall, _ operation: Contract.Operation) throws(GateError) {
    for parameter in operation.parameters where parameter.isRequired {
      let isGiven =
        switch parameter.location {
        case .path: call.path[parameter.name] != nil
        case .query: call.query.contains { $0.0 == parameter.name }
        case .header: call.headers.contains { $0.0 == parameter.name } || call.clientHeaders.names(parameter.name)
        case .cookie: call.cookies.contains { $0.0 == parameter.name }
        }
      guard !isGiven else { continue }
      guard let value = sample.value(of: parameter) else {
        throw .usage(
          "\(operation.id) cannot be probed: no value is known for its \(parameter.location.rawValue) parameter \"\(parameter.name)\". Add an `example` to it in \(contract.file), or a step to the scenario that calls it."
        )
      }
      switch parameter.location {
      case .path: call.path[parameter.name] = value
      case .query: call.query.append((parameter.name, value))
      case .header: call.headers.append((parameter.name, value))
      case .cookie: call.cookies.append((parameter.name, value))
      }
    }
    if call.body == nil, let body = operation.requestBody, body.isRequired {
      call.body = sample.body(of: operation, index: call.operation, contract: contract)
      guard call.body != nil else {
        throw .usage(
          "\(operation.id) cannot be probed: its body is required, and neither a step of the scenario nor an example in \(contract.file) says one."
        )
      }
    }
  }

  private func begin(session: Int, client: Int) throws(GateError) -> SessionStart? {
    guard session < scenario.sessions.count else { return nil }
    let seed = RandomSource(seed: plan.seed, stream: UInt64(client)).drawn()
    var arrival = plan.session(user: client, iteration: 0)
    (arrival.index, arrival.session, arrival.seed) = (client, session, seed)
    do throws(EvaluationError) {
      return try plan.start(arrival, clock: { Int64(saturating: Date().timeIntervalSince1970 * 1e9) })
    } catch {
      throw .usage("\(scenario.file): the client of session \"\(scenario.sessions[session].name)\": \(error.text)")
    }
  }

  private func evaluate(_ template: Template, _ start: inout SessionStart) -> JSONValue? {
    guard let value = try? template.evaluate(in: &start.scope, random: &start.random), value != .null else {
      return nil
    }
    return value
  }

  private func body(of template: BodyTemplate, _ operation: Int, _ start: inout SessionStart) -> OperationCall.Content?
  {
    switch template {
    case .json(let template, let contentType):
      return evaluate(template, &start).map {
        OperationCall.Content(contentType: contentType, bytes: Array($0.text.utf8))
      }
    case .text(let template, let contentType):
      return evaluate(template, &start).map {
        OperationCall.Content(contentType: contentType, bytes: Array($0.interpolated.utf8))
      }
    case .form(let fields):
      var object = JSONObject()
      for field in fields {
        guard let value = evaluate(field.value, &start) else { return nil }
        object[field.name] = value
      }
      return
        (try? contract.body(
          operation: operation, .object(object), contentType: "application/x-www-form-urlencoded")).map {
          OperationCall.Content($0)
        }
    }
  }

  private func addCredentials(of session: Int, to call: inout OperationCall, _ start: inout SessionStart) {
    let client = scenario.sessions[session].client
    guard let authentication = client.authentication,
      let credentials = try? authentication.credentials(in: &start.scope, random: &start.random)
    else { return }
    switch credentials.place {
    case .header: call.clientHeaders.put(HeaderField(credentials.name, credentials.value))
    case .cookie: call.cookies.append((credentials.name, .string(credentials.value)))
    case .query: call.query.append((credentials.name, .string(credentials.value)))
    }
  }

  /// The first step that calls the operation, preferring one that needs no answer of an earlier call.
  private func step(calling operation: Int) -> (session: Int, step: CallStep)? {
    let id = contract.operations[operation].id
    let all = scenario.sessions.enumerated().flatMap { index, session in
      session.steps.flatMap(\.calls).filter { $0.operation.index == operation || $0.operation.id == id }
        .map { (session: index, step: $0) }
    }
    return all.first { $0.step.path.allSatisfy(\.value.variables.isEmpty) } ?? all.first
  }
}

extension RandomSource {
  /// The first draw of the stream.
  fileprivate func drawn() -> UInt64 {
    var stream = self
    return stream.next()
  }
}
