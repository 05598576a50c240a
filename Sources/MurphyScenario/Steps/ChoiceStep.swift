import MurphyModel

/// `choose:` one of several ways to go on, by share.
package struct ChoiceStep: Sendable {
  package struct Way: Sendable {
    package var share: Double
    package var steps: [Step]

    package init(share: Double, steps: [Step]) {
      self.share = share
      self.steps = steps
    }
  }

  package var ways: [Way]

  package init(ways: [Way]) { self.ways = ways }

  /// The steps of a way drawn by share; takes one draw of the stream.
  package func draw(_ random: inout RandomSource) -> [Step] {
    let index = weightedIndex(of: ways.map(\.share), at: random.unit())
    return ways[index].steps
  }
}
