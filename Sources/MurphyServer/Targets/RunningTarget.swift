import MurphyHTTP
import MurphyModel

/// A target that accepts requests now; an embedded one is stopped with `stop`.
package struct RunningTarget: Sendable {
  /// The base URL of the API.
  package var url: String
  /// Factor on the length of the limiter's windows.
  package var timeScale = 1.0
  /// True if murphy started it itself.
  package var isEmbedded: Bool { server != nil }
  private var server: RunningServer?

  /// Starts an embedded reference API on a free port, or uses the URL unchanged.
  ///
  /// - Throws: a `GateError` for options of the reference API together with a URL, because they would have no effect.
  package static func start(_ target: Target, reference: ReferenceOptions) async throws(GateError) -> RunningTarget {
    switch target {
    case .url(let url):
      guard let option = reference.chosen.first?.name else { return RunningTarget(url: url) }
      let name = option == "seed" ? "data-seed" : option
      let url = (try? Origin(url))?.text ?? URLCredentials.masked(url)
      throw GateError.usage(
        "--\(name) is an option of the reference API and has no effect on \(url). Leave it "
          + "out, or use --target embedded:murphys-laws.")
    case .embedded(let system, _):
      let options = try target.options(reference)
      do {
        let server = try await ReferenceAPI(named: system).start(options)
        return RunningTarget(url: server.url, timeScale: options.limits.timeScale, server: server)
      } catch {
        throw .usage((error as? ServerError)?.description ?? "\(error)")
      }
    }
  }

  /// Has no effect on a target that is not embedded.
  package func stop() async { await server?.stop() }
}

extension Target {
  /// Factor on the length of the limiter's windows of an embedded target; 1 for all others.
  package func timeScale(_ reference: ReferenceOptions) throws(GateError) -> Double {
    guard case .embedded = self else { return 1 }
    return try options(reference).limits.timeScale
  }

  /// The reference API's options with the target's own settings.
  fileprivate func options(_ reference: ReferenceOptions) throws(GateError) -> ReferenceOptions {
    guard case .embedded(_, let settings) = self else { return reference }
    var options = reference
    do {
      for setting in settings { try options.set(setting.name, to: setting.value) }
    } catch {
      throw .usage(error.description)
    }
    return options
  }
}
