import Foundation
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyProbe
import MurphyReport
import MurphyScenario
import MurphyServer

extension Gate {
  /// The configuration that gives a limiter the policy.
  ///
  /// - Parameter target: its path is before the paths of all operations; nil for the scenario's target.
  /// - Throws: `GateError.usage` for a policy that the limiter cannot express.
  package func configuration(
    of policy: LimitPolicy, for product: LimiterProduct, at target: Target?
  ) throws(GateError) -> String {
    let base = basePath(target)
    let routes = policy.operations.compactMap(contract.index).map { contract.operations[$0] }.map {
      LimiterSettings.Route(id: $0.id, method: $0.method, path: base + $0.path)
    }
    return try product.configuration(LimiterSettings(policy, routes: routes))
  }

  /// Probes the target as `murphy limits` does, with the policy in the place of the scenario's limits.
  package func verify(
    _ policy: LimitPolicy, _ options: LimitsOptions, stop: StopSignal,
    progress: @escaping @Sendable (String, ProbeProgress) -> Void
  ) async throws(GateError) -> LimitsResult {
    var gate = self
    gate.scenario.expectations.limits = [LimitExpectation(policy: policy)]
    var options = options
    // A wrong limit is in effect until the former one is restored.
    options.endsWhenContradicted = true
    let reading = contract.operations.first { $0.method == "GET" } ?? contract.operations.first
    options.operation = policy.operations.first ?? reading?.id
    return try await gate.probeLimits(options, stop: stop, progress: progress)
  }
}

/// The command of a user that puts a configuration into effect: `--apply` and `--restore`.
package struct DeploymentHook: Sendable {
  /// For messages: `--apply`.
  let option: String
  let command: String

  /// The environment variable with the path of the file.
  package static let variable = "MURPHY_CONFIGURATION"
  /// A hook that runs for longer is ended.
  private static let patience: Duration = .seconds(60)
  private static let pulse: Duration = .milliseconds(20)

  package init(option: String, command: String) { (self.option, self.command) = (option, command) }

  /// Runs the command in a shell, until it ends.
  ///
  /// - Parameter configuration: the path of the file; nil for a command that needs none.
  /// - Throws: `GateError.usage` if the command cannot be started, fails, or does not end.
  package func run(configuration: String?, patience: Duration? = nil) async throws(GateError) {
    var environment = ProcessInfo.processInfo.environment
    environment[Self.variable] = configuration ?? environment[Self.variable]
    let process: ShellCommand
    // The standard output of murphy has only the configuration.
    do throws(POSIXError) { process = try ShellCommand(command, environment: environment, output: .errors) } catch {
      throw .usage("\(option): cannot start the command: \(String(cString: strerror(error.code.rawValue))).")
    }
    let patience = patience ?? Self.patience
    let end = ContinuousClock.now + patience
    while true {
      if let status = process.status {
        guard status == 0 else { throw .usage("\(option): the command exited with status \(status).") }
        return
      }
      guard ContinuousClock.now < end else {
        process.send(SIGKILL)
        throw .usage("\(option): the command did not end within \(patience.text), so murphy stopped it.")
      }
      try? await Task.sleep(for: Self.pulse)
    }
  }
}
