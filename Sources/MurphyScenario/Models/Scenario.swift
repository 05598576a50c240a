import MurphyModel

/// Scripted user sessions, the load they arrive with, and the promises that the run is judged by.
///
/// A value: reading one has checked every name, unit and type in it. The engine interprets it.
public struct Scenario: Sendable {
  /// As in `name:`; what the report calls the run.
  public var name: String
  /// What the scenario shows, in the author's words.
  package var about: String?
  /// The file it was read from, as the user named it.
  public var file: String
  /// The first of `contracts`.
  package var contract: String? {
    get { contracts.first }
    set { contracts = newValue.map { [$0] } ?? [] }
  }
  /// OpenAPI documents and overlays, relative to the scenario's own folder unless absolute; a path of the target where
  /// no such file is.
  package var contracts: [String] = []
  /// A URL or `embedded:SYSTEM`; `--target` replaces it.
  package var target: String?
  /// Used when the command line names none.
  package var seed: UInt64?
  package var settings = ClientSettings()
  package var feeds: [Feed] = []
  package var sessions: [SessionScript]
  package var load: LoadProfile
  package var expectations: Expectations
  /// Names of the variables, by slot: a `Scope` has one place for each.
  package var variables: [String] = []
  /// Values that no output may show.
  package var secrets = Secrets()
  /// What is questionable, but no mistake.
  package var warnings: [Diagnostic] = []

  package init(
    name: String, file: String, sessions: [SessionScript], load: LoadProfile,
    expectations: Expectations = Expectations()
  ) {
    self.name = name
    self.file = file
    self.sessions = sessions
    self.load = load
    self.expectations = expectations
  }
}
