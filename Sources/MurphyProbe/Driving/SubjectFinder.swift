import Foundation
import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Finds the request for probing a limit, and its variations.
package struct SubjectFinder {
  private let scenario: Scenario
  private let contract: Contract
  /// Environment variables that the scenario and the contract's security schemes may read.
  private let environment: [String: String]

  package init(_ scenario: Scenario, _ contract: Contract, environment: [String: String]) {
    self.scenario = scenario
    self.contract = contract
    self.environment = environment
  }

  /// - Parameters:
  ///   - seed: of all random values, so that the API sees other clients in each probe.
  ///   - hasOtherAddresses: true if this machine can reach the target from several addresses.
  /// - Throws: `GateError.usage` if it is unknown how to call the operation.
  package func subject(_ choice: ProbeChoice, seed: UInt64, hasOtherAddresses: Bool) throws(GateError) -> ProbeSubject {
    var finder = CallFinder(scenario, contract, seed: seed)
    let call = try finder.call(choice.operation, client: 0)
    var others: [FoundCall] = []
    for client in 1...Self.otherClients { others.append(try finder.call(choice.operation, client: client)) }
    let operation = contract.operations[choice.operation]
    let credentials = contract.credentials(operation: choice.operation, environment: environment)
    do throws(RequestError) {
      var subject = ProbeSubject(
        operation: operation.id, base: try call.request(contract, credentials: credentials))
      subject.sourceAddress = call.sourceAddress
      subject.refusals = choice.policy?.refusals ?? [.tooManyRequests]
      subject.hasOtherAddresses = hasOtherAddresses
      let devices = deviceHeaders(choice, subject.base, call, others)
      subject.otherDevices = devices
      subject.keyHeaders.formUnion(devices.flatMap { $0 }.map { $0.name.lowercased() })
      subject.keyHeaders.formUnion(choice.policy?.key.headerNames ?? [])
      subject.otherTokens = tokens(subject.base, others)
      subject.otherTargets = try otherTargets(operation, call, credentials)
      subject.invalid = try invalidCall(operation, call)?.request(contract, credentials: credentials)
      return subject
    } catch {
      throw .usage("\(operation.id) cannot be probed: \(error)")
    }
  }

  /// Other clients that are generated for the dimensions of the key that identify devices.
  private static let otherClients = 64

  /// Headers of other devices: those that the scenario generates for each device, otherwise the one that a policy
  /// names.
  private func deviceHeaders(
    _ choice: ProbeChoice, _ base: HTTPRequest, _ call: FoundCall, _ others: [FoundCall]
  ) -> [[HeaderField]] {
    let drawn = others.map { other in
      other.senderHeaders.filter { $0.name.lowercased() != "authorization" && !call.senderHeaders.contains($0) }
    }
    if drawn.allSatisfy({ !$0.isEmpty }) { return drawn }
    let documented = contract.operations[choice.operation].documentedLimits.flatMap { $0.key?.headerNames ?? [] }
    let parameters = contract.operations[choice.operation].parameters.filter { $0.location == .header }.map(\.name)
    let named =
      (choice.policy?.key.headerNames.filter { $0 != "authorization" } ?? [])
      + documented.filter { name in parameters.contains { $0.isSameHeader(as: name) } }
    guard let name = named.first else { return [] }
    return (0..<Self.otherClients).map { _ in [HeaderField(name, UUID().uuidString.lowercased())] }
  }

  private func tokens(_ base: HTTPRequest, _ others: [FoundCall]) -> [HeaderField] {
    let own = base.headers.first(named: "authorization")
    guard let own else { return [] }
    return others.compactMap { other in
      other.senderHeaders.first { $0.name.lowercased() == "authorization" && $0.value != own.value }
    }
  }

  /// The same operation at other paths: other path values, or a slash at the end if the path has none.
  private func otherTargets(
    _ operation: Contract.Operation, _ call: FoundCall, _ credentials: Credentials
  ) throws(RequestError) -> [String] {
    let base = try call.request(contract, credentials: credentials).target
    guard let number = call.call.path.first(where: { $0.value.int != nil }), let value = number.value.int else {
      return call.call.path.isEmpty && !base.contains("?") && base.count > 1 ? [base + "/"] : []
    }
    var targets: [String] = []
    for step in 1...8 {
      var other = call
      other.call.path[number.key] = JSONValue(value > step ? value - step : value + step)
      targets.append(try other.request(contract, credentials: credentials).target)
    }
    return targets
  }

  /// A call that the API should reject as malformed. It has a body without its fields, or a word instead of a number.
  private func invalidCall(_ operation: Contract.Operation, _ call: FoundCall) -> FoundCall? {
    var invalid = call
    if call.call.body != nil {
      invalid.call.body = .bytes(contentType: "application/json", Array("{}".utf8))
      return invalid
    }
    if let number = call.call.path.first(where: { $0.value.int != nil }) {
      invalid.call.path[number.key] = "murphy"
      return invalid
    }
    let known = operation.parameters.filter { $0.location == .query && $0.schema?.located["type"]?.value == "integer" }
    guard let name = known.first?.name else { return nil }
    invalid.call.query.removeAll { $0.0 == name }
    invalid.call.query.append((name, "murphy"))
    return invalid
  }
}
