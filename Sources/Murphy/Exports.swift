// What a user of the library touches: `import Murphy` is enough.
@_exported import MurphyCapacity
@_exported import MurphyCompare
@_exported import MurphyContract
@_exported import MurphyDraft
@_exported import MurphyEngine
@_exported import MurphyJSON
@_exported import MurphyJudge
@_exported import MurphyLive
@_exported import MurphyModel
@_exported import MurphyProbe
@_exported import MurphyRecord
@_exported import MurphyReport
@_exported import MurphyScenario
@_exported import MurphySelfcheck
@_exported import MurphyServer
@_exported import MurphyShards
@_exported import MurphyTarget
import MurphyTransport

/// The program as `murphy --version` names it.
package enum Version {
  /// With the commit, in what `make dist` built.
  package static var text: String { BuiltProgram.version }
}
