import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyProbe
import MurphyScenario

/// One run of the engine against the calibration server.
struct SelfcheckRun: Sendable {
  let server: CalibrationServer
  private let check: Selfcheck
  private let stop: StopSignal

  init(_ paths: [String: CalibrationBehaviour], _ check: Selfcheck, _ stop: StopSignal) throws(GateError) {
    do { server = try CalibrationServer(paths, seed: check.seed) } catch { throw .usage("\(error)") }
    self.check = check
    self.stop = stop
  }

  /// The measurements and the judgement, with the log of the server.
  struct Done {
    var record: RunRecord
    var result: RunResult
    var log: CalibrationLog

    /// As the recorder received them, in nanoseconds, in no order.
    func latencies(of operation: Int) -> [Int64] {
      (record.samples ?? []).filter { $0.operation == operation }.map(\.latency)
    }
  }

  /// Runs the scenario and stops the server.
  func record(_ scenario: SelfcheckScenario) async throws -> Done {
    defer { server.stop() }
    let gate = try scenario.gate
    var options = EngineOptions(seed: check.seed)
    options.loops = check.loops
    options.keepsSamples = true
    let record: RunRecord
    do throws(EngineError) {
      record = try await Engine.measure(
        gate.scenario, contract: gate.contract, target: server.url, options: options, stop: stop
      ).record
    } catch {
      throw GateError.usage(error.description)
    }
    guard !stop.isRequested else { throw GateError.usage("the selfcheck was interrupted") }
    return Done(record: record, result: gate.judge(record), log: server.log)
  }
}

/// A scenario of the check, with its contract.
struct SelfcheckScenario: Sendable {
  /// Operations, in the contract's order.
  private let operations: [String]
  private let sessions: String
  private let load: String
  private var expectations = ""

  static func path(_ operation: String) -> String { "/\(operation)" }

  /// Sessions of one kind for each operation, with equal weights.
  ///
  /// - Parameter times: the number of calls in a session.
  init(calls operations: [String], times: Int = 1, load: String) {
    self.init(
      operations,
      sessions: operations.map {
        "  \($0): { steps: [{ repeat: \(times), steps: [{ call: \($0) }] }] }"
      }, load: load)
  }

  private init(_ operations: [String], sessions: [String], load: String) {
    self.operations = operations
    self.sessions = sessions.joined(separator: "\n")
    self.load = load
  }

  /// Users that use up both limits, are rejected, and return when their windows have ended; and readers of the schema.
  static func judging(allowed: Int, window: Duration) -> SelfcheckScenario {
    func limited(_ name: String) -> String {
      """
        \(name):
          client: { headers: { X-Key: "${uuid()}" } }
          steps:
            - { repeat: \(allowed + 2), steps: [{ call: \(name), on: { 429: continue } }] }
            - think: \((window + .milliseconds(150)).notation)
            - call: \(name)
      """
    }
    var scenario = SelfcheckScenario(
      ["kept", "exceeded", "schema"],
      sessions: [
        limited("kept"), limited("exceeded"),
        "  schema: { share: 8, steps: [{ repeat: 10, steps: [{ call: schema }] }] }",
      ], load: "[{ hold: 20/s, for: 3s }]")
    scenario.expectations = """
      expect:
        limits:
          kept: { allow: \(allowed), per: \(window.notation), algorithm: fixed, key: X-Key }
          exceeded: { allow: \(allowed), per: \(window.notation), algorithm: fixed, key: X-Key }
      """
    return scenario
  }

  var gate: Gate {
    get throws(GateError) {
      do {
        let contract = try Contract.parse(document, file: "selfcheck-openapi.yaml")
        let scenario = try Scenario.parse(
          text: text, file: "selfcheck.yaml", operations: contract.summaries, environment: [:])
        return Gate(scenario: scenario, contract: contract)
      } catch let error as ScenarioError {
        throw .mistakes(error.diagnostics)
      } catch {
        throw .usage("\(error)")
      }
    }
  }

  private var text: String {
    """
    name: selfcheck
    contract: selfcheck-openapi.yaml
    client: { connections: reuse }
    sessions:
    \(sessions)
    load: \(load)
    \(expectations)
    """
  }

  private var document: String {
    let paths = operations.map { operation in
      """
        \(Self.path(operation)):
          get:
            operationId: \(operation)
            responses:
              "200": { description: as asked, content: { application/json: { schema: { $ref: "#/components/schemas/Answer" } } } }
              "429": { description: too many, content: { application/json: { schema: { $ref: "#/components/schemas/Answer" } } } }
      """
    }
    return """
      openapi: 3.1.0
      info: { title: The known server, version: "1" }
      components:
        schemas:
          Answer: { type: object, required: [ok], properties: { ok: { type: boolean } } }
      paths:
      \(paths.joined(separator: "\n"))
      """
  }
}
