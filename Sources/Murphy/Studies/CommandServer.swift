import Foundation
import MurphyModel
import MurphyServer

/// A target that a user's command starts: a process group of its own, which is ended as a whole.
struct CommandServer: Sendable {
  private let process: ShellCommand
  /// For messages: `--base-command`.
  private let option: String

  /// The maximum time until a server accepts connections.
  private static let readiness: Duration = .seconds(60)
  /// The maximum time until it ends after SIGTERM.
  private static let patience: Duration = .seconds(10)
  private static let pulse: Duration = .milliseconds(20)

  /// Starts the command in a shell and returns once the target accepts connections.
  ///
  /// - Parameter spanEndpoint: the endpoint of the receiver of spans, for the environment of the command.
  /// - Throws: `GateError.usage` if a server already responds at the target, or the command ends. `unreachable` if the
  ///   target is not ready in time.
  static func start(
    _ command: String, at target: Target, option: String, spanEndpoint: String? = nil
  ) async throws(GateError) -> CommandServer {
    if (try? target.checkReachability(nil)) != nil {
      throw .usage(
        """
        \(option): a server already runs at the target, before murphy started the command. Stop the running server, or \
        use another port.
        """
      )
    }
    var environment = ProcessInfo.processInfo.environment
    if let spanEndpoint { environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = spanEndpoint }
    let process: ShellCommand
    do throws(POSIXError) { process = try ShellCommand(command, environment: environment, output: .none) } catch {
      throw .usage("\(option): cannot start the command: \(String(cString: strerror(error.code.rawValue))).")
    }
    let server = CommandServer(process: process, option: option)
    do throws(GateError) {
      try await server.waitUntilReady(target)
    } catch {
      await server.stop()
      throw error
    }
    return server
  }

  private func waitUntilReady(_ target: Target) async throws(GateError) {
    let clock = ContinuousClock()
    let end = clock.now + Self.readiness
    while true {
      do throws(GateError) {
        return try target.checkReachability(nil)
      } catch {
        if let status = process.status {
          throw .usage("\(option): the command exited with status \(status) before the target was ready.")
        }
        guard clock.now < end else {
          throw .unreachable(
            """
            \(option): the target was not ready within \(Self.readiness.text) after the start of the command: \(error)
            """)
        }
      }
      try? await Task.sleep(for: Self.pulse)
    }
  }

  /// Sends SIGTERM to the group, and SIGKILL to the remaining processes after ten seconds.
  func stop() async {
    for signal in [SIGTERM, SIGKILL] {
      process.send(signal)
      let end = ContinuousClock.now + Self.patience
      while process.isRunning, ContinuousClock.now < end { try? await Task.sleep(for: Self.pulse) }
    }
  }
}
