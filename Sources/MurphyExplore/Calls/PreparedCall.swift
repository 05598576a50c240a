import MurphyJSON
import MurphyTransport

/// A request of a case with the values that it is sent with.
struct PreparedCall: Sendable {
  var call: ExploreCall
  var request: HTTPRequest
  /// The body's value as it is sent.
  var body: JSONValue?
  /// New values of the case up to this request, by name.
  var drawn: [String: JSONValue]
}
