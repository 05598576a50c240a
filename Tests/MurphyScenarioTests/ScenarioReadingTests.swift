import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

@Suite struct ScenarioReadingTests {
  @Test func `the designs example is read`() throws {
    let scenario = try LawsAPI.read(
      """
      name: Murphy's Laws release gate
      contract: openapi.yaml
      target: embedded:murphys-laws
      client:
        headers: { X-Device-ID: "${uuid()}" }
      sessions:
        browse:
          share: 60
          steps:
            - call: getLawOfTheDay
            - call: listLaws
              query: { limit: 25, offset: 0, sort: score, order: desc }
              save: { ids: "$.data[*].id" }
            - think: 1s..4s
            - repeat: 2..5
              steps:
                - call: listLaws
                  query: { limit: 25, offset: "${25 * index}" }
                - think: 1s..3s
            - call: getLaw
              path: { id: "${pick(ids)}" }
        search:
          share: 30
          steps:
            - type: "${choose(murphy, toast, computer)}"
              every: 80ms..220ms
              debounce: 300ms
              newer: cancels
              call: listLaws
              query: { q: "${typed}" }
        vote:
          share: 10
          steps:
            - call: listLaws
              save: { ids: "$.data[*].id" }
            - burst: 40
              over: 10s
              call: voteLaw
              path: { id: "${pick(ids)}" }
              body: { vote_type: "${choose(up, down)}" }
      load:
        - { ramp: 0/s..20/s, for: 10s }
        - { hold: 20/s, for: 30s }
      expect:
        budgets:
          listLaws: { p95: 300ms, p99: 800ms }
          voteLaw: { p95: 200ms }
          "*": { errors: 0.1% }
        limits:
          voteLaw: { allow: 30, per: 60s, key: X-Device-ID }
        state: [{ ledger: votes, key: path.id, voter: header.X-Device-ID, write: { voteLaw: up }, read: { voteLaw: { up: $.upvotes } } }]
      """)
    #expect(scenario.sessions.map(\.name) == ["browse", "search", "vote"])
    #expect(scenario.sessions.map(\.share) == [60, 30, 10])
    #expect(scenario.load.stages.map(\.text) == ["ramp 0/s..20/s for 10 s", "hold 20/s for 30 s"])
    #expect(scenario.expectations.budgets.map(\.metric.name) == ["p95", "p99", "p95", "errors"])
    #expect(scenario.expectations.limits[0].policy.text == "30 per 60 s, any algorithm, key x-device-id")
    #expect(scenario.expectations.state[0].mark.line == 51 && scenario.expectations.state[0].taps.count == 1)
    #expect(scenario.warnings.isEmpty)
    guard case .burst(let burst) = scenario.sessions[2].steps[1] else { return #expect(Bool(false), "no burst") }
    #expect(BurstStep.offset(of: 39, count: 40, over: 10_000_000_000) == 9_750_000_000)
    #expect(burst.steps.count == 1)
  }

  @Test func `each holds every called operation that has no budget of that metric`() throws {
    func budgets(_ text: String) throws -> [Budget] {
      try LawsAPI.read(
        LawsAPI.scenario(
          steps: "- call: listLaws\n- call: getLaw\n  path: { id: 1 }", head: "expect: { budgets: { \(text) } }")
      ).expectations.budgets
    }
    let both = try budgets(##"listLaws: { p95: 1s }, "*": { p99: 3s, each: { p95: 2s, service: { p50: 9ms } } }"##)
    #expect(
      both.map { "\($0.operation) \($0.metric.name) \($0.limit.text)" } == [
        "listLaws p95 1 s", "* p99 3 s", "getLaw p95 2 s", "getLaw service p50 9 ms", "listLaws service p50 9 ms",
      ])
    #expect(throws: ScenarioError.self) { try budgets("listLaws: { each: { p95: 2s } }") }
    #expect(throws: ScenarioError.self) { try budgets(##""*": { each: { p95: fast } }"##) }
    #expect(throws: ScenarioError.self) { try budgets(##""*": { each: { each: { p95: 1s } } }"##) }
    #expect(throws: ScenarioError.self) { try budgets(##""*": { each: {} }"##) }
  }

  @Test(arguments: [
    (#"errors: 100%"#, "the check errors: 100% can never fail; write off"),
    (#"completed: 0%"#, "the check completed: 0% can never fail; write off"),
    (#"connections: 0%"#, "the check connections: 0% can never fail; write off"),
    (#"connections: "reused >= 0%""#, "the check connections: reused >= 0% can never fail; write off"),
    (#"coverage: 0%"#, "the check coverage: 0% can never fail; remove it"),
    (#"coverage: { at-least: 0% }"#, "the check at-least: 0% can never fail; remove it"),
    (#"budgets: { listLaws: { errors: 100% } }"#, "the check errors: 100% can never fail; remove it"),
    (#"budgets: { listLaws: { throughput: 0/s } }"#, "a throughput budget of 0 can never fail; remove it"),
    (
      #"budgets: { listLaws: { service: { p99: 31s } } }"#,
      "no request can exceed p99: 31s, because `settings: timeout` is 30s; lower the budget"
    ),
  ]) func `a threshold that nothing can break is a mistake`(_ expect: String, message: String) throws {
    let text = LawsAPI.scenario(steps: "- call: listLaws", head: "expect: { \(expect) }")
    let error = try #require(throws: ScenarioError.self) { try LawsAPI.read(text) }
    #expect("\(error)".contains(message), "\(error)")
  }

  @Test func `a threshold that something can break is read`() throws {
    for expect in [
      "errors: 99%", "completed: 1%", "connections: 1%", "coverage: 1%", "errors: off",
      "budgets: { listLaws: { errors: 99%, throughput: 1/h, service: { p99: 30s }, p95: 30s } }",
    ] {
      let text = LawsAPI.scenario(steps: "- call: listLaws", head: "expect: { \(expect) }")
      #expect(try LawsAPI.read(text).warnings.isEmpty, "\(expect)")
    }
    let late = LawsAPI.scenario(
      steps: "- call: listLaws", head: "expect: { budgets: { listLaws: { p99: 31s } } }")
    #expect(try LawsAPI.read(late).warnings.contains { $0.message.contains("only by waiting before it is sent") })
  }

  @Test func `settings are read`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- call: listLaws",
        head: """
          settings:
            timeout: 5s
            connect-timeout: 250ms
            max-body: 1MiB
            http: 1.1
            redirects: 3
            tls: { insecure: true }
            compression: false
            grace: 0s
          """))
    var expected = ClientSettings()
    expected.timeout = .seconds(5)
    expected.connectTimeout = .milliseconds(250)
    expected.maxBody = ByteCount(1_048_576)
    expected.http = .http1
    expected.redirects = 3
    expected.insecure = true
    expected.compression = false
    expected.grace = .zero
    #expect(scenario.settings == expected)
  }

  @Test func `steps of rates are held one after the other`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- call: listLaws",
        load: "[{ steps: 10/s..30/s, by: 10/s, each: 5s }, { pause: 2s }, { spike: 200/s, for: 1s }]"))
    #expect(
      scenario.load.stages.map(\.text) == [
        "hold 10/s for 5 s", "hold 20/s for 5 s", "hold 30/s for 5 s", "hold 0/s for 2 s", "hold 200/s for 1 s",
      ])
  }

  @Test func `a sessions client stands on the scenarios`() throws {
    let scenario = try LawsAPI.read(
      """
      name: Clients
      contract: openapi.yaml
      client:
        vars: { id: "${uuid()}" }
        headers: { X-Device-ID: "${id}", Accept: application/json }
      sessions:
        plain: { steps: [{ call: listLaws }] }
        own:
          client:
            headers: { x-device-id: fixed, X-Trace: "t-${token}" }
            address: 127.0.0.9
            auth: { basic: { user: ada, password: "${env(PASSWORD)}" } }
          steps: [{ call: listLaws, save: { token: $.token } }]
      load: { stages: [{ users: 1..3, for: 1s }], iterations: 2 }
      """, environment: ["PASSWORD": "sesame-open"])
    #expect(scenario.sessions[0].client.headers.map(\.name) == ["X-Device-ID", "Accept"])
    let own = scenario.sessions[1].client
    #expect(own.headers.map(\.name) == ["Accept", "x-device-id", "X-Trace"])
    #expect(own.headers.map(\.isDrawnOnce) == [true, true, false])
    #expect(scenario.secrets.masked("password sesame-open!") == "password ***!")
    var scope = Scope(variables: scenario.variables.count)
    var random = RandomSource(seed: 1)
    let credentials = try own.authentication?.credentials(in: &scope, random: &random)
    #expect(credentials?.value == "Basic YWRhOnNlc2FtZS1vcGVu")
  }

  @Test func `secrets made of secrets are masked too`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - call: listLaws
            headers: { X-Key: "${upper(base64('k:' + env(KEY)))}" }
          """), environment: ["KEY": "open-sesame"])
    #expect(scenario.secrets.masked("AZPVCGVULXNLC2FTZQ== azpvcGVuLXNlc2FtZQ==") == "*** ***")
  }

  @Test func `only an unused name is warned of`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(steps: "- { call: listLaws, save: { ids: \"$.data[*].id\" } }"))
    #expect(scenario.warnings.map(\.message) == ["no step uses the saved value \"ids\""])
  }

  @Test func `without a contract operations are not checked`() throws {
    let scenario = try LawsAPI.read(LawsAPI.scenario(steps: "- call: anything"), contract: nil)
    let call = try #require(scenario.sessions[0].steps[0].calls.first)
    #expect(call.operation == OperationReference(id: "anything"))
  }

  @Test func `a contract may be several files`() throws {
    let text = LawsAPI.scenario(steps: "- call: listLaws").replacing(
      "contract: openapi.yaml", with: "contract: [openapi.yaml, overlay.yaml, /more.json]")
    let scenario = try LawsAPI.read(text)
    #expect(scenario.contracts == ["openapi.yaml", "overlay.yaml", "/more.json"])
    #expect(scenario.contract == "openapi.yaml")
    let outline = Scenario.outline(text: text, file: "a.yaml")
    #expect(outline.contracts.map(\.name) == scenario.contracts)
    #expect(outline.contracts.map(\.mark.column) == [12, 26, 40])
    let wrong = text.replacing("[openapi.yaml, overlay.yaml, /more.json]", with: "[https://example.org/a.yaml, [b]]")
    #expect(
      LawsAPI.mistakes(wrong) == [
        "a contract must be a file, or a path of the target such as /openapi.json; murphy downloads it only from the target",
        "a contract must be a string; found a list",
      ])
  }
}
