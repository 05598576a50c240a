import MurphyModel
import MurphyTransport

extension Target {
  /// How long the target has to accept a connection before the load begins.
  private static let patience: Duration = .seconds(5)

  /// Looks whether somebody listens at the target, before anything is sent; blocks, at most for five seconds. Embedded
  /// targets are not asked: murphy starts them itself.
  ///
  /// - Throws: `GateError.unreachable` with a sentence.
  package func checkReachability() throws(GateError) {
    guard case .url(let url) = self else { return }
    let origin: Origin
    do throws(OriginError) { origin = try Origin(url) } catch { throw .usage(error.description + ".") }
    var options = TransportOptions()
    options.connectTimeout = Self.patience
    do throws(TransportError) {
      try Reachability.check(origin, options)
    } catch {
      let target = "the target \(origin.text) cannot be reached"
      switch error {
      case .refused:
        throw .unreachable("\(target): connection refused. Is it running, and is the port \(origin.port) right?")
      case .connectTimeout(let limit):
        throw .unreachable("\(target): no connection within \(limit.text). Is it running, and is the host right?")
      case .unresolved: throw .unreachable("\(target): no address is known for \"\(origin.host)\".")
      default: throw .unreachable("\(target): \(error.sentence).")
      }
    }
  }
}
