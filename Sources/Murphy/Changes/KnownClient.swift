import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema

/// Reads what a client uses from a scenario, a recording or a result.
package struct KnownClient: Sendable {
  /// What it sends and reads.
  package let use: ClientUse
  /// The number of its requests or steps that fit no operation of the contract.
  package var others = 0

  /// - Throws: a `GateError` for a file that cannot be read, or that calls no operation of the contract.
  static func read(_ file: String, of contract: Contract) throws(GateError) -> [KnownClient] {
    let clients = try clients(file, contract)
    guard clients.contains(where: { !$0.use.operations.isEmpty }) else {
      throw .usage(
        "\(file) calls no operation of \(contract.file), so it does not show which changes a client notices.")
    }
    return clients
  }

  private static func clients(_ file: String, _ contract: Contract) throws(GateError) -> [KnownClient] {
    if StoredResults.isFolder(file) || file.hasSuffix(".gz") { return try results(file, contract) }
    let bytes: [UInt8]
    do {
      bytes = try BoundedFile.readNamed(file, limit: BoundedFile.data)
    } catch {
      throw .usage("cannot read \(file): \(error.sentence(of: file))")
    }
    if let value = try? JSONValue.parse(bytes) {
      if value["log"]?["entries"]?.array != nil { return [recording(file, value, contract)] }
      if value["format"]?.string?.hasPrefix("murphy-result/") == true { return try results(file, contract) }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.count <= BoundedFile.scenario.bytes, Scenario.outline(text: text, file: file).isScenario else {
      throw .usage("\(file) is not a scenario, an HTTP Archive (HAR) or a result of murphy, so it shows no use.")
    }
    do throws(ScenarioError) {
      let scenario = try Scenario.parse(
        text: text, file: file, operations: contract.summaries, toleratesMissingEnvironment: true)
      return [KnownClient(scenario, file, contract)]
    } catch {
      throw .mistakes(error.diagnostics)
    }
  }

  /// A result shows which operations were called and which statuses were received, and not which fields were used.
  private static func results(_ file: String, _ contract: Contract) throws(GateError) -> [KnownClient] {
    try StoredResults.read([file]).map { run in
      var use = ClientUse(file: run.file, kind: .result)
      var others = 0
      for operation in run.result.operations where operation.requests > 0 {
        let title = "\(operation.method) \(operation.path)"
        guard let index = contract.index(of: title) ?? contract.index(of: operation.operation) else {
          others += 1
          continue
        }
        var known = OperationUse.unknown
        known.statuses = Set(operation.statuses.map(\.status))
        use.operations[index] = known
      }
      return KnownClient(use: use, others: others)
    }
  }

  private static func recording(_ file: String, _ archive: JSONValue, _ contract: Contract) -> KnownClient {
    var use = ClientUse(file: file, kind: .recording)
    let (exchanges, others) = ArchivedExchange.all(in: archive, contract)
    for exchange in exchanges { use.operations[exchange.operation, default: OperationUse()].add(exchange) }
    return KnownClient(use: use, others: others)
  }
}

extension OperationUse {
  fileprivate mutating func add(_ exchange: ArchivedExchange) {
    func cookies(_ text: String) -> [(name: String, value: String)] {
      text.split(separator: ";").map { (pair: Substring) in
        let name = pair.prefix { $0 != "=" }
        return (String(name.trimmed), String(Substring(pair.dropFirst(name.count + 1)).trimmed))
      }
    }
    let sent: [(Contract.Parameter.Location, [(name: String, value: String)])] = [
      (.path, exchange.path), (.query, exchange.query), (.header, exchange.headers),
      (.cookie, exchange.headers.filter { $0.name.lowercased() == "cookie" }.flatMap { cookies($0.value) }),
    ]
    for (location, values) in sent {
      for (name, value) in values {
        parameters[ParameterKey(location, name), default: []].formUnion(Self.parameter(.string(value)))
        // `filter[name]=x` is a property of the parameter `filter`.
        guard location == .query, let open = name.firstIndex(of: "[") else { continue }
        parameters[ParameterKey(location, String(name[..<open])), default: []].insert(.everything)
      }
    }
    if let body = exchange.body {
      add(body: body, exchange)
    } else if !exchange.parts.isEmpty {
      self.body.formUnion(exchange.parts.map { FieldUse([.name($0)], .whole) })
    }
    statuses = (statuses ?? []).union(exchange.status.map { [$0] } ?? [])
    headers?.formUnion(exchange.responseHeaders)
    guard let response = exchange.response else { return }
    guard let value = try? JSONValue.parse(Array(response.utf8)) else {
      reads.insert(.everything)
      return
    }
    reads.formUnion(FieldUse.fields(of: value, keepsValues: false))
  }

  private mutating func add(body: String, _ exchange: ArchivedExchange) {
    if let value = try? JSONValue.parse(Array(body.utf8)) {
      self.body.formUnion(FieldUse.fields(of: value, keepsValues: true))
    } else if exchange.contentType.hasPrefix("application/x-www-form-urlencoded") {
      self.body.formUnion(exchange.form.map { FieldUse([.name($0.name)], .value(.string($0.value))) })
    } else {
      self.body.insert(.everything)
    }
  }

  /// The use of a parameter. Its text may be a list or an object.
  static func parameter(_ value: JSONValue) -> Set<FieldUse> {
    switch value {
    case .string(let text) where !text.contains(where: { ",|; =".contains($0) }): [FieldUse([], .value(value))]
    case .number, .bool: [FieldUse([], .value(value))]
    default: [.everything]
    }
  }
}
