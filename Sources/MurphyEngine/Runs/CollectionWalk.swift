import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Reads the collections of a target once after the load. It reads them page by page, sorted and filtered in each way,
/// and single items. Without other writers, this decides the cases that the load leaves open (docs/relations.md, "The
/// walk").
///
/// It sends only GET, HEAD and OPTIONS requests, in sequence, with a maximum number and time.
package struct CollectionWalk: Sendable {
  private let scenario: Scenario
  private let contract: Contract
  private let environment: [String: String]
  private let isAlone: Bool

  /// The maximum for each collection.
  private static let requests = 120
  /// The maximum for all of them; unused time of one is available to the others.
  private static let time = Duration.seconds(8)

  /// - Parameters:
  ///   - environment: variables that the contract's security schemes may read.
  ///   - isAlone: true if only this run writes, so that nothing has to be read twice.
  package init(_ scenario: Scenario, _ contract: Contract, environment: [String: String], isAlone: Bool) {
    self.scenario = scenario
    self.contract = contract
    self.environment = environment
    self.isAlone = isAlone
  }

  /// - Parameters:
  ///   - record: of the finished load; only the operations that it called are walked.
  ///   - url: the target's.
  /// - Returns: the observations, for the record's log.
  package func run(after record: RunRecord, url: String, transport options: TransportOptions) async -> RelationLog {
    var empty = RelationLog()
    let relations = contract.relations(promising: scenario.expectations.relations.lists)
    let called = Set(record.operations.filter { $0.outcomes.ok > 0 }.map(\.operation))
    let wanted = relations.collections.filter { shape in
      let id = contract.operations[shape.operation].id
      let own = scenario.expectations.relations[id]
      return called.contains(id) && !own.isOff && own.walks != false
    }
    let isOff = scenario.expectations.relations.all.walks == false
    guard !wanted.isEmpty || (!record.relations.created.isEmpty && !isOff) else { return empty }
    guard let origin = try? Origin(url), let resolved = try? ResolvedHost(origin, options),
      let loop = try? EventLoop(number: 0)
    else {
      empty.unwalked = "murphy could not send requests after the load"
      return empty
    }
    defer { loop.shutdown() }
    let start = record.limitLog.start
    let mask = record.mask
    let rejections = RejectionRules(scenario, contract)
    return await loop.submit {
      let transport = Transport(loop: loop, origin: origin, options: options, resolved: resolved)
      defer { transport.close() }
      var log = RelationLog()
      if let settles = scenario.expectations.relations.all.settles, !isSettled(record) {
        _ = await loop.sleep(until: .now + settles.nanoseconds)
      }
      let end = Instant.now + Self.time.nanoseconds
      for (number, shape) in wanted.enumerated() {
        let deadline = Instant.now + (end - .now) / Int64(wanted.count - number)
        guard
          let client = try? WalkClient(
            transport, relations, start: start, deadline: deadline, most: Self.requests, mask: mask, origin: origin,
            rejections: rejections, options: options, credential: scenario.credential)
        else { continue }
        // Walks of other collections must not be combined with it.
        client.session += Int64(number) * 1_000
        let callers = callers(shape.operation, as: record.relations.senders[Int32(shape.operation)] ?? [])
        let items = item(shape, relations, as: callers.last)
        let expected = scenario.expectations.relations[contract.operations[shape.operation].id]
        let isAlone = expected.isExclusive ?? isAlone
        var visit = CollectionProbe(
          client: client, shape: shape, relations: relations, contract: contract, isAlone: isAlone,
          isStill: isAlone && isSettled(record), narrows: expected.narrows ?? false, callers: callers, items: items,
          lists: (items?.0.counts ?? []).map { list($0, relations, as: callers.last) })
        await visit.run()
        var part = client.close()
        if part.pages.isEmpty { part.unwalked = client.end ?? "no response after the load was a page of a list" }
        log.append(part)
      }
      let rest = try? WalkClient(
        transport, relations, start: start, deadline: .now + Self.time.nanoseconds / 4, most: Self.requests, mask: mask,
        origin: origin, rejections: rejections, options: options, credential: scenario.credential)
      if !isOff, !record.relations.created.isEmpty, let rest {
        await LocationVisit(client: rest, contract: contract, record: record, origin: origin).run()
        log.append(rest.close())
      }
      return log
    }.value
  }

  /// The requests of several users. If they need credentials, users of the load are reused; otherwise they are new
  /// users without used quota.
  private func callers(_ operation: Int, as senders: [[HeaderField]]) -> [WalkCaller] {
    var finder = CallFinder(scenario, contract, seed: UInt64.random(in: 1..<(1 << 53)))
    let credentials = contract.credentials(operation: operation, environment: environment)
    let required = Set(
      contract.operations[operation].parameters.filter { $0.location == .query && $0.isRequired }.map(\.name))
    return (0..<4).compactMap { client in
      guard var call = try? finder.call(operation, client: client) else { return nil }
      call.call.query.removeAll { !required.contains($0.0) }
      let headers = senders.isEmpty ? nil : senders[client % senders.count]
      return WalkCaller(call: call, contract: contract, credentials: credentials, headers: headers)
    }
  }

  /// The operation that returns one of the items, and its call by the user of the list.
  private func item(
    _ shape: CollectionShape, _ relations: ContractRelations, as user: WalkCaller?
  ) -> (ItemShape, WalkCaller)? {
    let item = relations.items.first { item in
      item.collection.map { relations.collections[$0].operation == shape.operation } ?? false
    }
    guard let item, let user, let caller = caller(item.operation, as: user) else { return nil }
    return (item, caller)
  }

  /// The call of a list below an item, by the same user.
  private func list(_ count: ItemShape.Count, _ relations: ContractRelations, as user: WalkCaller?) -> WalkCaller? {
    user.flatMap { caller(relations.collections[count.collection].operation, as: $0) }
  }

  private func caller(_ operation: Int, as user: WalkCaller) -> WalkCaller? {
    guard let caller = callers(operation, as: []).first else { return nil }
    var call = caller.call
    (call.clientHeaders, call.authentication) = (user.call.clientHeaders, user.call.authentication)
    return WalkCaller(call: call, contract: contract, credentials: caller.credentials, headers: user.headers)
  }

  /// True if no write of the load may still take effect.
  private func isSettled(_ record: RunRecord) -> Bool {
    let stale = scenario.expectations.relations.all.stale?.nanoseconds ?? 0
    let now = Instant.now - record.limitLog.start
    let settled = scenario.expectations.relations.all.settles.map { now - $0.nanoseconds }
    return record.relations.writes.allSatisfy { write in
      write.end < now - stale || write.end == .max && settled.map { write.sent < $0 } == true
    }
  }
}

/// One user of a walk.
struct WalkCaller {
  let call: FoundCall
  let contract: Contract
  let credentials: Credentials
  /// Replaces the headers of the call; nil for its own.
  let headers: [HeaderField]?

  /// The call with a longer query, or for another item; nil if the contract cannot write it.
  func request(
    _ query: [(String, String)] = [], item: (name: String, value: JSONValue)? = nil, method: String? = nil,
    headers: [HeaderField] = []
  ) -> HTTPRequest? {
    var call = call
    call.call.query += query.map { ($0.0, .string($0.1)) }
    if let item { call.call.path[item.name] = item.value }
    guard var request = try? call.request(contract, credentials: credentials) else { return nil }
    if let own = self.headers { request.headers = own }
    if let method { request.method = method }
    for field in headers {
      request.headers.removeAll { $0.name.lowercased() == field.name.lowercased() }
      request.headers.append(field)
    }
    request.body = nil
    return request
  }
}
