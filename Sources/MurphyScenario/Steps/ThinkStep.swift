/// A pause of the user; nothing is sent.
package struct ThinkStep: Sendable {
  package var pause: DurationValue

  package init(pause: DurationValue) { self.pause = pause }
}
