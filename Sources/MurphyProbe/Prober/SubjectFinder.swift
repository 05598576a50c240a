import Foundation
import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphySchema

/// Finds the request for probing a limit, and its variations.
package struct SubjectFinder {
  private let scenario: Scenario
  private let contract: Contract
  /// Environment variables that the scenario and the contract's security schemes may read.
  private let environment: [String: String]
  private let saved: SavedValues

  /// - Parameter saved: values that earlier responses gave.
  package init(
    _ scenario: Scenario, _ contract: Contract, environment: [String: String], saved: SavedValues = SavedValues()
  ) {
    self.saved = saved
    self.scenario = scenario
    self.contract = contract
    self.environment = environment
  }

  /// - Parameters:
  ///   - seed: of all random values, so that the API sees other clients in each probe.
  ///   - hasOtherAddresses: true if this machine can reach the target from several addresses.
  /// - Throws: `GateError.usage` if it is unknown how to call the operation.
  package func subject(_ choice: ProbeChoice, seed: UInt64, hasOtherAddresses: Bool) throws(GateError) -> ProbeSubject {
    var finder = CallFinder(scenario, contract, seed: seed, saved: saved)
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
      subject.otherDevices = Array(devices.dropLast(Self.freshClients))
      subject.freshDevices = Array(devices.suffix(Self.freshClients))
      subject.freshNetwork = Int(seed % 60_000)
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
  private static let otherClients = 64 + freshClients
  /// The last of them send whole series of requests: those of the prober, and those for separate counters.
  private static let freshClients = 2 * FreshClients.most

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

/// The subject of a probe: one operation's request of the base client, and its possible variations.
///
/// A variation never repeats a value: each uses the next fresh number.
package struct ProbeSubject: Sendable {
  package typealias Dimension = ProbeDimension

  /// The data that is sent for one probe request.
  package struct Outgoing: Sendable {
    /// The request as it is sent.
    package var http: HTTPRequest
    /// The local address to send from; nil for the system's choice.
    package var sourceAddress: String?
  }

  package var operation: String
  /// A valid request of the base client.
  package var base: HTTPRequest
  /// The base client's address; nil for the system's choice.
  package var sourceAddress: String?
  /// A request that the API should reject with 400 or another 4xx status; nil if none could be constructed.
  package var invalid: HTTPRequest?
  /// A response that matches any of these is a rejection.
  package var refusals: [RefusalRule] = [.tooManyRequests]
  /// True if other addresses of this machine may be used: the target is on loopback.
  package var hasOtherAddresses = false
  /// Headers that identify devices of other clients: each element belongs to another device.
  package var otherDevices: [[HeaderField]] = []
  /// Headers of devices that send whole series of requests.
  package var freshDevices: [[HeaderField]] = []
  /// Selects the local addresses that send whole series of requests, so that no earlier probe used them.
  package var freshNetwork = 0
  /// Credentials of other clients.
  package var otherTokens: [HeaderField] = []
  /// The operation with other path values, or with another spelling of the path.
  package var otherTargets: [String] = []
  /// Lower-case names of headers that identify clients: the log keeps them.
  package var keyHeaders: Set<String> = ["authorization"]

  package init(operation: String, base: HTTPRequest) {
    self.operation = operation
    self.base = base
  }

  /// The dimensions that can be varied.
  package var dimensions: [Dimension] {
    Dimension.allCases.filter { dimension in
      switch dimension {
      case .sourceAddress: hasOtherAddresses
      case .forwardedFor, .realIP, .forwarded: true
      case .device: !otherDevices.isEmpty
      case .token: !otherTokens.isEmpty
      case .route: !otherTargets.isEmpty
      case .query, .method: base.method == "GET"
      }
    }
  }

  /// The dimensions in which clients without a history exist.
  package var freshDimensions: [Dimension] {
    (freshDevices.isEmpty ? [] : [.device]) + (hasOtherAddresses ? [.sourceAddress] : [])
  }

  /// The headers that identify devices, as they are written.
  package var deviceHeaderNames: [String] {
    var names: [String] = []
    for field in otherDevices.first ?? [] where !names.contains(field.name) { names.append(field.name) }
    return names
  }

  /// - Parameter fresh: a number that was not used before, from 1.
  package func outgoing(_ request: ProbeRequest, fresh: Int) -> Outgoing {
    var outgoing = Outgoing(http: request.isInvalid ? invalid ?? base : base, sourceAddress: sourceAddress)
    let number = request.client?.number ?? 0
    switch request.client?.dimension {
    case .device: for field in freshDevices[number % freshDevices.count] { outgoing.http.headers.put(field) }
    case .sourceAddress: outgoing.sourceAddress = Self.freshAddress(freshNetwork, number)
    default: vary(&outgoing, request.client?.dimension, number)
    }
    vary(&outgoing, request.variant?.dimension, fresh)
    return outgoing
  }

  private func vary(_ outgoing: inout Outgoing, _ dimension: Dimension?, _ fresh: Int) {
    switch dimension {
    case nil: break
    case .sourceAddress: outgoing.sourceAddress = Self.loopback(fresh)
    case .forwardedFor: outgoing.http.headers.put(HeaderField("X-Forwarded-For", Self.otherAddress(fresh)))
    case .realIP: outgoing.http.headers.put(HeaderField("X-Real-IP", Self.otherAddress(fresh)))
    case .forwarded: outgoing.http.headers.put(HeaderField("Forwarded", "for=\(Self.otherAddress(fresh))"))
    case .device: for field in otherDevices[fresh % otherDevices.count] { outgoing.http.headers.put(field) }
    case .token: outgoing.http.headers.put(otherTokens[fresh % otherTokens.count])
    case .route: outgoing.http.target = otherTargets[fresh % otherTargets.count]
    case .query: outgoing.http.target += (base.target.contains("?") ? "&" : "?") + "murphy=\(fresh)"
    case .method: outgoing.http.method = "HEAD"
    }
  }

  /// `127.0.0.2`, `127.0.0.3` … : all of 127.0.0.0/8 is this machine (RFC 1122 §3.2.1.3).
  static func loopback(_ fresh: Int) -> String { "127.0.\(fresh / 250 % 250).\(fresh % 250 + 2)" }

  /// An address of this machine that no variation uses.
  static func freshAddress(_ network: Int, _ number: Int) -> String {
    "127.\(1 + network / 250 % 250).\(network % 250).\(number % 250 + 2)"
  }

  /// An address from 198.18.0.0/15, which is reserved for network tests (RFC 2544).
  static func otherAddress(_ fresh: Int) -> String { "198.18.\(fresh / 250 % 250).\(fresh % 250 + 2)" }
}
