import MurphyTransport

/// The program as `murphy --version` names it.
package enum Version {
  /// With the commit, in what `make dist` built.
  package static var text: String { BuiltProgram.version }
}
