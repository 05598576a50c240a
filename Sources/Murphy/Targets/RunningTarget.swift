import MurphyServer
import MurphyTransport

/// A target that can be sent to now; an embedded one is stopped with `stop`.
struct RunningTarget: Sendable {
  var url: String
  /// Factor on the length of the limiter's windows.
  var timeScale = 1.0
  /// Whether murphy started it itself.
  var isEmbedded: Bool { server != nil }
  private var server: RunningServer?

  /// Starts an embedded reference API on a free port, or takes the URL as it is.
  ///
  /// - Throws: a `GateError` for options of the reference API beside a URL: they would change nothing.
  static func start(_ target: Target, reference: ReferenceOptions) async throws -> RunningTarget {
    switch target {
    case .url(let url):
      guard let option = reference.chosen.first else { return RunningTarget(url: url) }
      let name = option == "seed" ? "data-seed" : option
      let url = (try? Origin(url))?.text ?? url
      throw GateError.usage(
        "--\(name) is an option of the reference API and changes nothing at \(url). Leave it "
          + "out, or use --target embedded:murphys-laws.")
    case .embedded(let system, let settings):
      do {
        var options = reference
        for setting in settings { try options.set(setting.name, to: setting.value) }
        let server = try await ReferenceServer.start(system: system, options: options)
        return RunningTarget(url: server.url, timeScale: options.limits.timeScale, server: server)
      } catch let error as ServerError {
        throw GateError.usage(error.description)
      }
    }
  }

  func stop() async { await server?.stop() }
}
