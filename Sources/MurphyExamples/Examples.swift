import MurphyServer

extension ReferenceAPI {
  /// The example systems. Only this module contains their names; a program that serves them registers them.
  package static let examples = [journal, milo, monica]
}
