import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The values that sessions saved, unmasked.
package struct SavedValues: Sendable {
  /// By session and variable.
  private(set) var values: [String: [String: JSONValue]] = [:]
  /// By session: those of an authorization server.
  private(set) var accessTokens: [String: AccessToken] = [:]
  /// The secrets among them: no output may contain them.
  package private(set) var secrets: Set<Secret> = []

  package init() {}

  package mutating func add(_ kept: SessionTrace.Kept) {
    switch kept.content {
    case .value(let name, let value): values[kept.session, default: [:]][name] = value
    case .accessToken(let token): accessTokens[kept.session] = token
    }
    secrets.formUnion(kept.secrets)
  }
}

/// Finds out how an operation can be called: as the scenario's steps call it, otherwise by the contract's examples.
package struct CallFinder {
  private let scenario: Scenario
  private let contract: Contract
  private let plan: Plan
  private var sample: ContractSample
  private let saved: SavedValues

  /// - Parameters:
  ///   - seed: of all random values, so that the API sees other clients in each probe.
  ///   - saved: values that earlier responses gave.
  package init(_ scenario: Scenario, _ contract: Contract, seed: UInt64, saved: SavedValues = SavedValues()) {
    self.scenario = scenario
    self.contract = contract
    self.saved = saved
    plan = Plan(scenario: scenario, seed: seed)
    sample = ContractSample(contract)
  }

  /// - Parameter client: number of the virtual user that calls.
  /// - Throws: `GateError.usage` with the missing part.
  package mutating func call(_ operation: Int, client: Int) throws(GateError) -> FoundCall {
    let described = contract.operations[operation]
    let found = step(calling: operation)
    var call = FoundCall(call: OperationCall(operation: operation))
    if var start = try begin(session: found?.session ?? 0, client: client) {
      call.clientHeaders = start.headers
      call.sourceAddress = start.address
      if let step = found?.step {
        // The contract's own examples replace expressions that read unknown responses.
        call.call = OperationCall(step, operation: operation) { evaluate($0, &start) }
        call.authentication = credentials(session: found?.session ?? 0, &start)
      }
    }
    try complete(&call, described)
    return call
  }

  /// The session whose responses give values that the step of the operation reads, or the token that it needs; nil if
  /// the step needs neither.
  package func source(of operation: Int) throws(GateError) -> String? {
    guard let found = step(calling: operation), var start = try begin(session: found.session, client: 0) else {
      return nil
    }
    var isComplete =
      scenario.sessions[found.session].client.authentication == nil
      || credentials(session: found.session, &start) != nil
    _ = OperationCall(found.step, operation: operation) { template in
      let value = evaluate(template, &start)
      if value == nil { isComplete = false }
      return value
    }
    return isComplete ? nil : scenario.sessions[found.session].name
  }

  /// Adds required values that no step provides.
  private mutating func complete(_ call: inout FoundCall, _ operation: Contract.Operation) throws(GateError) {
    for parameter in operation.parameters where parameter.isRequired {
      let name = parameter.name
      let isGiven =
        switch parameter.location {
        case .path: call.call.path[name] != nil
        case .query: call.call.query.contains { $0.0 == name } || call.authentication?.isQuery(name) == true
        case .header: call.call.headers.contains { $0.0 == name } || call.senderHeaders.names(name)
        case .cookie: call.call.cookies.contains { $0.0 == name } || call.authentication?.isCookie(name) == true
        }
      guard !isGiven else { continue }
      guard let value = sample.value(of: parameter) else {
        throw .usage(
          """
          murphy cannot probe \(operation.id): no value is known for the \(parameter.location.rawValue) parameter \
          "\(parameter.name)". Add an `example` of the parameter to \(contract.file), or add a step that calls \
          \(operation.id) to the scenario.
          """
        )
      }
      switch parameter.location {
      case .path: call.call.path[name] = value
      case .query: call.call.query.append((name, value))
      case .header: call.call.headers.append((name, value))
      case .cookie: call.call.cookies.append((name, value))
      }
    }
    if call.call.body == nil, let body = operation.requestBody, body.isRequired {
      let index = call.call.operation
      call.call.body =
        sample.bodies(of: operation).lazy.compactMap { [contract] value, type in
          (try? contract.body(operation: index, value, contentType: type)).map { RequestBody($0) }
        }.first
      guard call.call.body != nil else {
        throw .usage(
          """
          murphy cannot probe \(operation.id): the request needs a body, but no step of the scenario and no example in \
          \(contract.file) provides a body.
          """
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
      guard var start = try plan.start(arrival, clock: { Int64(saturating: Date().timeIntervalSince1970 * 1e9) })
      else { return nil }
      for (name, value) in saved.values[scenario.sessions[session].name] ?? [:] {
        guard let slot = scenario.variables.firstIndex(of: name), start.scope.values[slot] == nil else { continue }
        start.scope.values[slot] = value
      }
      return start
    } catch {
      throw .usage("\(scenario.file): the client of session \"\(scenario.sessions[session].name)\": \(error.text)")
    }
  }

  /// Nil if the session has no credentials, and before a response gave them.
  private func credentials(session: Int, _ start: inout SessionStart) -> Authentication.Credentials? {
    let session = scenario.sessions[session]
    guard case .oauth2? = session.client.authentication else {
      return try? session.client.authentication?.credentials(in: &start.scope, random: &start.random)
    }
    return saved.accessTokens[session.name].map(\.credentials)
  }

  private func evaluate(_ template: Template, _ start: inout SessionStart) -> JSONValue? {
    guard let value = try? template.evaluate(in: &start.scope, random: &start.random), value != .null else {
      return nil
    }
    return value
  }

  /// The first step that calls the operation, preferring one that does not expect an error, and needs no earlier
  /// response.
  private func step(calling operation: Int) -> (session: Int, step: CallStep)? {
    let id = contract.operations[operation].id
    let all = scenario.sessions.enumerated().flatMap { index, session in
      session.calls.filter { $0.operation.index == operation || $0.operation.id == id }
        .map { (session: index, step: $0) }
    }
    let good = all.filter { $0.step.checks.statuses.isEmpty || (200..<400).contains(where: $0.step.checks.names) }
    return good.first { $0.step.path.allSatisfy(\.value.variables.isEmpty) } ?? good.first ?? all.first
  }
}

/// One way to call an operation, and its client. It is written as a load writes its requests.
package struct FoundCall {
  /// The call with its values.
  package var call: OperationCall
  /// The client's own headers, generated once; headers of the call have precedence.
  package var clientHeaders: [HeaderField] = []
  /// The session's credentials.
  package var authentication: Authentication.Credentials?
  /// The client's address on this machine; nil for the default.
  package var sourceAddress: String?

  /// The client's headers including its credentials, if a header contains them.
  package var senderHeaders: [HeaderField] {
    var headers = clientHeaders
    if let authentication, authentication.place == .header {
      headers.put(HeaderField(authentication.name, authentication.value))
    }
    return headers
  }

  /// - Throws: a `RequestError` for values that the contract cannot write.
  package func request(_ contract: Contract, credentials: Credentials) throws(RequestError) -> HTTPRequest {
    var http = try call.request(contract, credentials: credentials)
    http.add(clientHeaders: clientHeaders)
    if let authentication { http.add(authentication) }
    return http
  }
}

extension Authentication.Credentials {
  fileprivate func isQuery(_ name: String) -> Bool { place == .query && self.name == name }
  fileprivate func isCookie(_ name: String) -> Bool { place == .cookie && self.name == name }
}

extension RandomSource {
  /// The first random number of the stream.
  fileprivate func drawn() -> UInt64 {
    var stream = self
    return stream.next()
  }
}
