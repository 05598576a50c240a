import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// What the engine logs for invariants over sessions.
@Suite struct StateLogTests {
  private static let ledger = """
    - ledger: votes
          key: path.id
          voter: header.X-Device
          write: { voteLaw: { up: body.way == up, down: body.way != up } }
          read: { getLaw: { up: $.id }, listLaws: { each: "$.data[*]", key: $.id, up: $.id } }
    """

  private static func run(
    _ steps: String, state: String = ledger, loops: Int = 1, bound: StateLog.Bound = .usual,
    _ respond: @escaping @Sendable (WildRequest, WildConnection) -> Void = Self.answer
  ) async throws -> RunRecord {
    let server = try WildServer(respond)
    defer { server.stop() }
    return try await EngineFixture.run(
      """
      client: { headers: { X-Device: "${uuid()}" } }
      sessions:
        one:
          steps: [\(steps)]
      load: [{ hold: 5/s, for: 1s }]
      settings: { grace: 2s, timeout: 300ms }
      expect:
        state:
          \(state)
      """, against: server.url, loops: loops
    ) {
      $0.stateBound = bound
      $0.salt = 3
      $0.isSaltNew = true
    }
  }

  private static let answer: @Sendable (WildRequest, WildConnection) -> Void = { request, connection in
    switch (request.method, request.target) {
    case ("GET", "/laws"): connection.json(EngineFixture.page)
    case ("GET", _): connection.json(EngineFixture.law)
    case (_, "/laws/9/vote"): connection.answer(429)
    case (_, "/laws/8/vote"): break
    default: connection.answer(204, body: "")
    }
  }

  private static func vote(_ law: String, _ way: String) -> String {
    "{ call: voteLaw, path: { id: \(law) }, body: { way: \(way) }, on: { error: continue } }"
  }

  @Test func `every attempt of a named operation is logged`() async throws {
    let steps = [Self.vote("7", "up"), Self.vote("9", "down"), Self.vote("8", "up"), "{ call: listLaws }"]
    let log = try await Self.run(steps.joined(separator: ", ")).stateLog
    func votes(_ key: String) -> [StateExchange] {
      log.exchanges.filter { $0.role == .write && log.names[$0.key] == key }
    }
    #expect(votes("7").count == 5 && votes("7").allSatisfy { $0.outcome == .accepted && $0.a == 1 })
    #expect(votes("9").count == 5 && votes("9").allSatisfy { $0.outcome == .refused && $0.a == 2 })
    #expect(votes("8").count == 5 && votes("8").allSatisfy { $0.outcome == .unknown && $0.status == 0 })
    #expect(Set(votes("7").map(\.actor)).count == 5, "each session has a device of its own")
    #expect(votes("7").allSatisfy { log.freshActors.contains($0.actor) })
    let listed = log.exchanges.filter { $0.role == .read && log.operations[Int($0.operation)] == "listLaws" }
    #expect(listed.count == 10 && Set(listed.map(\.a)) == [7, 8])
    let vote = try #require(votes("7").first)
    let command = try #require(log.command(vote, target: "http://127.0.0.1:1"))
    #expect(command.text.contains("/laws/7/vote") && command.text.contains("X-Device") && command.text.contains("up"))
  }

  /// Three keys were written to, and each is read once more when the load is over.
  @Test(arguments: [1, 2]) func `every key is read at the end`(loops: Int) async throws {
    let steps = [Self.vote("7", "up"), Self.vote("9", "down"), Self.vote("6", "up")]
    let log = try await Self.run(steps.joined(separator: ", "), loops: loops).stateLog
    let finals = log.exchanges.filter(\.isOwn)
    #expect(Set(finals.map { log.names[$0.key] }) == ["6", "7", "9"] && finals.count == 3)
    #expect(finals.allSatisfy { $0.role == .read && $0.session == -1 })
    let last = try #require(log.exchanges.filter { !$0.isOwn }.map(\.answered).max())
    #expect(finals.allSatisfy { $0.sent >= last })
    let without = try await Self.run(Self.vote("7", "up"), state: Self.ledger + "\n      final: off").stateLog
    #expect(without.exchanges.filter(\.isOwn).isEmpty)
  }

  /// What one user may read, another one may not: each key is read with the header fields of who wrote to it.
  @Test func `every key is read at the end by who wrote to it`() async throws {
    let law = "{ set: { law: \"${int(1, 1000000)}\" } }"
    let look = "{ call: getLaw, path: { id: \"${law}\" } }"
    let log = try await Self.run([law, Self.vote("\"${law}\"", "up"), look].joined(separator: ", ")).stateLog
    func device(_ exchange: StateExchange) throws -> ShellWord {
      try #require(log.headers[Int(exchange.headers)].first { $0.name == "X-Device" }).value
    }
    let finals = log.exchanges.filter(\.isOwn)
    #expect(finals.count == 5)
    for final in finals {
      let write = try #require(log.exchanges.first { $0.role == .write && $0.key == final.key })
      #expect(try device(final) == device(write))
    }
  }

  /// What was there before the first write, asked for before the load; a limiter may count it.
  @Test func `a start is read before the load`() async throws {
    let start = """
      start: { listLaws: { query: { q: all }, headers: { X-Device: murphy } }, getLaw: { keys: [7, 9] } }
      """
    let limits = "limits: { getLaw: { allow: 100, per: 60s, key: ip } }"
    let state = Self.ledger + "\n      " + start + "\n  " + limits
    let record = try await Self.run(Self.vote("7", "up"), state: state) { request, connection in
      if request.target == "/laws?q=all" {
        connection.json(EngineFixture.page)
      } else {
        Self.answer(request, connection)
      }
    }
    let log = record.stateLog
    #expect(record.limitLog.observations.count { $0.sent < record.limitLog.start && $0.status == 200 } == 2)
    let starts = log.exchanges.filter { $0.isOwn && $0.sent < 0 }
    #expect(starts.map { log.names[$0.key] } == ["7", "8", "7", "9"])
    #expect(starts.allSatisfy { $0.role == .read && $0.session == -1 && $0.answered < 0 })
    let votes = log.exchanges.filter { $0.role == .write }
    #expect(votes.count == 5 && votes.allSatisfy { $0.sent >= 0 })
    let command = try #require(starts.first.flatMap { log.command($0, target: "http://127.0.0.1:1") })
    #expect(command.text.contains("q=all") && command.text.contains("X-Device"))
    let unwritable = Self.ledger + "\n      start: getLaw"
    let gaps = try #require(try await Self.run(Self.vote("7", "up"), state: unwritable).stateLog.gaps.first)
    #expect(gaps.failedReads == 1, "the request needs a key")
  }

  /// It is no empty list, and no batch without tickets.
  @Test func `a response that is not JSON shows nothing`() async throws {
    let state = """
      - set: { create: voteLaw, id: $.new, list: { listLaws: "$.data[*].id" } }
          - delivery: { send: voteLaw, message: "body.to[*]", tickets: "$.tickets[*]", id: $.id, receipts: listLaws, asked: query.q, found: $.data }
      """
    let steps = "{ call: voteLaw, path: { id: 7 }, body: { to: [a] } }, { call: listLaws, query: { q: t1 } }"
    let log = try await Self.run(steps, state: state) { request, connection in
      connection.json(request.method == "POST" ? #"{"new":"n1","tickets":["# : #"{"data":["n0"#)
    }.stateLog
    #expect(!log.exchanges.contains { [.list, .batch, .requested].contains($0.role) })
    #expect(log.gaps[0].unreadResponses >= 5 && log.gaps[1].unreadResponses >= 10)
  }

  /// Ids that are asked for in the path or the query, one or several.
  @Test func `receipts are asked for in any place`() async throws {
    let state =
      "- delivery: { send: voteLaw, message: body.to, tickets: $.tickets, id: $.id, receipts: listLaws, asked: query.q, found: $.data }"
    let steps = "{ call: voteLaw, path: { id: 7 }, body: { to: [a] } }, { call: listLaws, query: { q: \"t1,t2\" } }"
    let log = try await Self.run(steps, state: state) { request, connection in
      connection.json(request.method == "POST" ? #"{"tickets":{"id":"t1"}}"# : #"{"data":{"t1":{"status":"ok"}}}"#)
    }.stateLog
    let receipts = log.exchanges.filter { $0.role == .receipt }
    #expect(receipts.count == 5 && receipts.allSatisfy { $0.a == 0 }, "each was asked for")
    #expect(log.exchanges.contains { $0.role == .requested && log.names[$0.c] == "t2" && $0.a == 0 })
  }

  @Test func `a full log takes no new keys and counts them`() async throws {
    let steps = (1...9).filter { $0 < 8 }.map { Self.vote("\($0)", "up") }.joined(separator: ", ")
    let log = try await Self.run(steps, bound: StateLog.Bound(exchanges: 4, names: 1_000_000)).stateLog
    let gaps = try #require(log.gaps.first)
    #expect(!gaps.keysLeftOut.isEmpty && log.exchanges.count < 12)
    for key in Set(log.exchanges.map { log.names[$0.key] }).subtracting(gaps.keysLeftOut) {
      #expect(log.exchanges.count { log.names[$0.key] == key && !$0.isOwn } == 5, "\(key) is whole")
    }
  }

  @Test func `a write that cannot be told is counted`() async throws {
    let state = Self.ledger.replacing("header.X-Device", with: "header.X-Nobody")
    let gaps = try #require(try await Self.run(Self.vote("7", "up"), state: state).stateLog.gaps.first)
    #expect(gaps.unreadWrites == 5 && gaps.firstUnread == "voteLaw: the request does not contain the voter")
  }

  /// Versions with conflicts, registers, sets and deliveries take their values from bodies.
  @Test func `every kind reads its values`() async throws {
    let state = """
      - versions:
              key: path.id
              push: voteLaw
              based-on: body.base
              version: $.v
              content: [body.text]
              conflict: { 409: $.entry }
              read: { getLaw: $.entry }
          - register: { key: path.id, put: voteLaw, get: getLaw, value: body.text }
          - set: { create: voteLaw, id: $.new, list: { listLaws: "$.data[*].id" }, get: getLaw }
          - delivery: { send: voteLaw, message: "body.to[*]", tickets: "$.tickets[*]", id: $.id, marks: $ in bad-* }
          - session: { key: path.id, order: $.entry.v, read: getLaw }
      """
    let log = try await Self.run(
      """
      { call: voteLaw, path: { id: 7 }, body: { base: 3, text: hello, to: [a, bad-b] } },
      { call: voteLaw, path: { id: 9 }, body: { base: 3, text: hello, to: [] }, on: { 409: continue } },
      { call: getLaw, path: { id: 7 }, expect: { status: 200 } }, { call: listLaws }
      """, state: state
    ) { request, connection in
      switch (request.method, request.target) {
      case ("POST", "/laws/7/vote"): connection.json(#"{"v":4,"new":"n1","tickets":[{"id":"t1"},{"id":"t2"}]}"#)
      case ("POST", _): connection.json(#"{"entry":{"v":6,"text":"theirs"}}"#, status: 409)
      case ("GET", "/laws"): connection.json(EngineFixture.page)
      default: connection.json(#"{"entry":{"v":4,"text":"hello"},"text":"hello"}"#)
      }
    }.stateLog
    func first(_ invariant: Int, _ role: StateExchange.Role) throws -> StateExchange {
      try #require(log.exchanges.first { Int($0.invariant) == invariant && $0.role == role }, "\(invariant) \(role)")
    }
    let (push, read, conflict) = (try first(0, .write), try first(0, .read), try first(0, .conflict))
    #expect(push.a == 3 && push.b == 4 && read.a == 4 && read.c == push.c && push.c >= 0)
    #expect(conflict.a == 6 && conflict.c != push.c && conflict.outcome == .accepted)
    let (written, shown) = (try first(1, .write), try first(1, .read))
    #expect(log.names[written.c] == "hello" && shown.c == written.c)
    let (created, list, seen) = (try first(2, .create), try first(2, .list), try first(2, .shown))
    #expect(log.names[created.key] == "n1" && list.outcome == .accepted && log.names[seen.key] == "7")
    let tickets = log.exchanges.filter { Int($0.invariant) == 3 && $0.role == .ticket }
    let batch = try first(3, .batch)
    #expect(batch.a == 2 && batch.b == 2)
    #expect(tickets.prefix(2).map(\.b) == [0, 1], "the second message was marked, and its ticket is no error")
    let ordered = try first(4, .read)
    #expect(ordered.a == 4)
  }

  @Test func `each created item of a set is read once more after the load`() async throws {
    let log = try await Self.run(
      "{ call: voteLaw, path: { id: 1 }, body: {} }",
      state: """
        - set: { create: voteLaw, id: $.new, list: { listLaws: "$.data[*].id" }, paged: true, get: getLaw,
              key: path.id }
        """
    ) { request, connection in
      connection.json(request.method == "POST" ? #"{"new":11}"# : "{}")
    }.stateLog
    let finals = log.exchanges.filter(\.isOwn)
    #expect(finals.map(\.role) == [.shown] && finals.map { log.names[$0.key] } == ["11"])
  }

  /// RFC 9110 §8.8.3: an entity tag is in quotes.
  @Test(arguments: [#""3""#, #"W/"3""#, "3"]) func `an entity tag is the version in its quotes`(
    _ tag: String
  ) async throws {
    let quoted = tag.replacing("\"", with: "\\\"")
    let log = try await Self.run(
      "{ call: voteLaw, path: { id: 7 }, headers: { If-Match: '\(tag)' }, body: { text: hello } }",
      state: "- versions: { key: path.id, push: voteLaw, based-on: header.If-Match, version: $.v }"
    ) { _, connection in
      connection.json("{\"v\":\"\(quoted)\"}")
    }.stateLog
    let push = try #require(log.exchanges.first { $0.role == .write })
    #expect(push.a == 3 && push.b == 3)
  }

  @Test func `what no invariant names is not logged`() async throws {
    let state =
      "- counter: { key: path.id, write: voteLaw, read: { listLaws: { each: \"$.data[*]\", key: $.id, count: $.id } } }"
    let log = try await Self.run("{ call: getLaw, path: { id: 7 } }", state: state).stateLog
    #expect(log.exchanges.isEmpty && log.requests.isEmpty && log.names.texts.isEmpty)
  }
}

extension WildConnection {
  fileprivate func json(_ text: String, status: Int = 200) {
    answer(status, body: text)
  }
}
