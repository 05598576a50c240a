@_exported import MurphyContract
@_exported import MurphyEngine
// The modules that a user of the library needs: `import Murphy` is enough.
import MurphyHTTP
@_exported import MurphyJudge
@_exported import MurphyModel
@_exported import MurphyProbe
@_exported import MurphyReport
@_exported import MurphyScenario
@_exported import MurphySchema
@_exported import MurphyServer

/// The versions of this program.
package enum Version {
  /// With the commit, if `make dist` built it.
  package static var text: String { BuiltProgram.version }

  /// What `murphy --version` prints. The second line names the libcurl of this machine.
  package static var lines: String { text + "\n" + LibcurlVersion.text }
}
