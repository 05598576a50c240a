import MurphyModel

/// What one kind of user does, from arrival to leaving.
package struct SessionScript: Sendable {
  package var name: String
  /// Its weight among the sessions' shares; positive.
  package var share: Double
  package var steps: [Step]
  /// Who its users are: the scenario's `client:` with the session's own on top.
  package var client: ClientProfile
  /// Indices into `Scenario.feeds`: the session takes one row of each when it begins.
  package var feeds: [Int] = []
  /// Whether its expressions read the last answer beyond its status, so that each answer is kept until the next.
  package var readsAnswers = false
  package var mark: SourceMark

  package init(
    name: String, share: Double = 1, steps: [Step], client: ClientProfile = ClientProfile(), feeds: [Int] = [],
    mark: SourceMark
  ) {
    self.name = name
    self.share = share
    self.steps = steps
    self.client = client
    self.feeds = feeds
    self.mark = mark
  }
}
