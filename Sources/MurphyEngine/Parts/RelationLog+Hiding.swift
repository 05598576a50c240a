import MurphyModel

extension RelationLog {
  /// Leaves out what single requests said, for it may hold a secret that nobody remembers.
  mutating func hideContent() {
    requests = []
    for index in pages.indices { pages[index].request = -1 }
    for index in readings.indices { readings[index].request = -1 }
    for index in returns.indices { returns[index].request = -1 }
    for index in doubts.indices {
      doubts[index].request = -1
      doubts[index].evidence = nil
    }
  }
}
