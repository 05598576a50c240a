/// The account of all requests: every request is counted, and the totals are consistent.
///
///     sendings = sent + repeated
///     planned  = sent + dropped
///     sent     = answered + transport + cancelled + inFlightAtEnd
///     answered = conformant + violating + unchecked
public struct Ledger: Sendable, Codable, Hashable {
  /// Requests whose due time had come by the scenario.
  public var planned = 0
  /// Requests that were passed to the network.
  public var sent = 0
  /// Requests that were planned and never sent, by reason.
  package var dropped: [ReasonCount] = []
  /// Requests with a complete response.
  public var answered = 0
  /// Requests that failed without a complete response.
  public var transport = 0
  /// Requests that the client cancelled intentionally.
  public var cancelled = 0
  /// Requests still in flight when the run ended.
  public var inFlightAtEnd = 0
  /// Responses that match the contract.
  public var conformant = 0
  /// Responses that violate the contract.
  public var violating = 0
  /// Responses that were not checked, by reason.
  package var unchecked: [ReasonCount] = []
  /// Redirect responses (3xx) among the answered; a redirect that is followed is another request.
  package var redirects = 0
  /// Attempts after the first of a request: its connection was closed before a response, and it was repeated. They are
  /// not in `sent`, which counts requests.
  package var repeated = 0
  /// Requests for which their user had a TCP connection that an earlier response had left free, unless the server had
  /// closed it; and those of them that had to open another, because the server had closed it.
  package var reusable = 0
  /// The requests among them that had to open another connection.
  package var reopened = 0
  /// Requests that murphy withheld during an outage of the load, and that are in no other count; nil for none.
  package var withheld: Int?

  package init() {}

  /// The number of times that a request was written to the network.
  package var sendings: Int { sent + repeated }
  /// Requests that were planned and never sent.
  public var droppedTotal: Int { dropped.reduce(0) { $0 + $1.count } }
  /// Responses that could not be checked.
  public var uncheckedTotal: Int { unchecked.reduce(0) { $0 + $1.count } }

  /// The equations that do not hold, as sentences; empty for a consistent ledger.
  package var contradictions: [String] {
    var broken: [String] = []
    func hold(_ name: String, _ total: Int, _ parts: Int) {
      if total != parts { broken.append("\(name) is \(total), but its parts sum to \(parts)") }
    }
    hold("planned", planned, sent + droppedTotal)
    hold("sent", sent, answered + transport + cancelled + inFlightAtEnd)
    hold("answered", answered, conformant + violating + uncheckedTotal)
    // Each request is repeated at most once.
    if reopened > reusable { broken.append("reopened is \(reopened), but only \(reusable) were reusable") }
    if repeated > sent { broken.append("repeated is \(repeated), but only \(sent) requests were sent") }
    return broken
  }
}

extension Ledger {
  /// Reads a ledger; a version that did not count repetitions has none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    planned = try values.decode(Int.self, forKey: .planned)
    sent = try values.decode(Int.self, forKey: .sent)
    dropped = try values.decode([ReasonCount].self, forKey: .dropped)
    answered = try values.decode(Int.self, forKey: .answered)
    transport = try values.decode(Int.self, forKey: .transport)
    cancelled = try values.decode(Int.self, forKey: .cancelled)
    inFlightAtEnd = try values.decode(Int.self, forKey: .inFlightAtEnd)
    conformant = try values.decode(Int.self, forKey: .conformant)
    violating = try values.decode(Int.self, forKey: .violating)
    unchecked = try values.decode([ReasonCount].self, forKey: .unchecked)
    redirects = try values.decode(Int.self, forKey: .redirects)
    repeated = try values.decodeIfPresent(Int.self, forKey: .repeated) ?? 0
    reusable = try values.decodeIfPresent(Int.self, forKey: .reusable) ?? 0
    reopened = try values.decodeIfPresent(Int.self, forKey: .reopened) ?? 0
    withheld = try values.decodeIfPresent(Int.self, forKey: .withheld)
  }
}

/// The results of the requests of one operation. Each is counted once, in the first category that matches, so the sum
/// is all requests that were sent.
package struct RequestEnds: Sendable, Codable, Hashable {
  /// Responses, with any status, that violate the contract, a rule of HTTP, or an expectation of their step.
  package var violating = 0
  /// Responses that could not be checked completely and have no known violation.
  package var unchecked = 0
  /// Responses with status 429 that match the contract.
  package var refused = 0
  /// Responses with another status of 4xx or 5xx that match the contract, and that no step expects.
  package var errors = 0
  /// The other responses: they match the contract.
  package var ok = 0
  /// Lost, timed out, or without a response when the run ended.
  package var unanswered = 0
  /// Cancelled by the client intentionally, such as a superseded search.
  package var cancelled = 0

  package init() {}

  /// Requests with a response.
  package var responses: Int { violating + unchecked + refused + errors + ok }
  /// All requests that were sent.
  package var total: Int { responses + unanswered + cancelled }

  /// Adds the counts of another part of the run.
  package static func += (sum: inout RequestEnds, other: RequestEnds) {
    sum.violating += other.violating
    sum.unchecked += other.unchecked
    sum.refused += other.refused
    sum.errors += other.errors
    sum.ok += other.ok
    sum.unanswered += other.unanswered
    sum.cancelled += other.cancelled
  }
}
