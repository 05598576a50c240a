import MurphyContract
import MurphyModel
import MurphyTransport

extension Client {
  /// What became of a request that was put together elsewhere.
  package struct Exchanged: Sendable {
    /// The answer, or why none came.
    package var ending: Result<Answer, TransportError>
    /// Seconds since the run's start.
    package var sent: Double
    /// Microseconds from the send to the last byte, or to the failure.
    package var took: Double
  }

  /// Where requests go to.
  package var origin: Origin { run.loopRun.context.origin }

  /// Sends a request as it is, counted and judged as one of the operation.
  ///
  /// - Parameters:
  ///   - operation: index into the contract's operations.
  ///   - script: writes what reproduces the request for a status, 0 without a response; nil for the request alone.
  /// - Returns: nil when the load is over.
  package func exchange(
    _ request: HTTPRequest, operation: Int, script: (@Sendable (_ status: Int) -> ShellScript)? = nil
  ) async -> Exchanged? {
    run.trail.script = script
    defer { run.trail.script = nil }
    let id = run.loopRun.context.contract.operations[operation].id
    let start = run.loopRun.context.start
    do throws(SessionEnd) {
      return try await run.exchange(PreparedRequest(operation: operation, http: request), intended: .now) { transfer in
        let ending: Result<Answer, TransportError> =
          if case .failed(let error) = transfer.ending {
            .failure(error)
          } else {
            .success(
              Answer(
                operation: id, status: transfer.status, headers: transfer.headers, body: Array(transfer.bodyBytes)))
          }
        return Exchanged(
          ending: ending, sent: Double(transfer.sent - start) / 1e9,
          took: Double(transfer.ended - transfer.sent) / 1000)
      }
    } catch {
      return nil
    }
  }

  /// Forgets the cookies that answers have set.
  package func forgetCookies() { run.connection.forgetCookies() }
}
