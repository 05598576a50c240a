import MurphyModel
import MurphyServer

extension Gate {
  /// The target that counts: the options', else the scenario's.
  func effectiveTarget(_ options: RunOptions) throws(GateError) -> Target {
    if let target = options.target { return target }
    if let text = scenario.target { return try Target(text) }
    throw .usage(
      "\(scenario.file) names no target, and none was given. Add `target: http://HOST:PORT` to it, or use --target.")
  }

  /// Factor on the limiter's windows of an embedded target; 1 for all others.
  func timeScale(_ options: RunOptions) throws -> Double {
    guard case .embedded(_, let settings) = try effectiveTarget(options) else { return 1 }
    var reference = options.reference
    for setting in settings { try reference.set(setting.name, to: setting.value) }
    return reference.limits.timeScale
  }
}
