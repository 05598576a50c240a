/// How long a client reads a stream of events that has no end.
package struct StreamPatience: Sendable, Hashable {
  /// From the header section of the answer.
  package var time: Duration
  /// It goes after so many events; nil for any number.
  package var events: Int?

  package init(time: Duration = .seconds(1), events: Int? = nil) {
    self.time = time
    self.events = events
  }
}
