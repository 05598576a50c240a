@_exported import MurphyContract
@_exported import MurphyEngine
// What a user of the library touches: `import Murphy` is enough.
import MurphyHTTP
@_exported import MurphyJudge
@_exported import MurphyModel
@_exported import MurphyProbe
@_exported import MurphyReport
@_exported import MurphyScenario
@_exported import MurphySchema
@_exported import MurphyServer

/// The program as `murphy --version` names it.
package enum Version {
  /// With the commit, in what `make dist` built.
  package static var text: String { BuiltProgram.version }
}
