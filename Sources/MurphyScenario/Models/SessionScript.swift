import MurphyModel

/// What one kind of user does, from arrival to leaving.
package struct SessionScript: Sendable {
  package var name: String
  /// Its weight among the sessions' shares; positive.
  package var share: Double
  package var steps: [Step]
  /// Indices into `Scenario.feeds`: the session takes one row of each when it begins.
  package var feeds: [Int] = []
  package var mark: SourceMark

  package init(name: String, share: Double = 1, steps: [Step], feeds: [Int] = [], mark: SourceMark) {
    self.name = name
    self.share = share
    self.steps = steps
    self.feeds = feeds
    self.mark = mark
  }
}
