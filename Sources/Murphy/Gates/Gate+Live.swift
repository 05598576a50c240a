import MurphyEngine
import MurphyLive
import MurphyModel
import MurphyTarget

extension Gate {
  /// Serves the run that is about to begin: a page that draws it, and OpenMetrics text. The options must say
  /// `isWatched`, and the server is told each snapshot (`show`) and the end (`finish`).
  ///
  /// - Parameter port: on the loopback; 0 for any free one.
  /// - Throws: `LiveError` when nobody can listen there.
  public func watch(_ options: RunOptions, port: Int = 0) async throws(LiveError) -> LiveServer {
    var info = Self.info(scenario.name, scenario.file, target: try? effectiveTarget(options.target), options)
    if info.target.isEmpty, case .embedded(let system, _)? = try? effectiveTarget(options.target) {
      info.target = "embedded:" + system
    }
    if let load = try? load(options) { info.load = load.stages }
    return try await LiveServer.start(port: port, run: info)
  }
}
