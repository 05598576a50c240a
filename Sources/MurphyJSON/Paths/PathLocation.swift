/// The way from the root to a node, last step first, shared between the nodes below the same one.
final class PathLocation: Sendable {
  let parent: PathLocation?
  let step: PathStep

  init(_ step: PathStep, under parent: PathLocation?) {
    self.step = step
    self.parent = parent
  }

  /// The steps from the root.
  static func steps(to location: PathLocation?) -> [PathStep] {
    var steps: [PathStep] = []
    var current = location
    while let place = current {
      steps.append(place.step)
      current = place.parent
    }
    return steps.reversed()
  }
}
