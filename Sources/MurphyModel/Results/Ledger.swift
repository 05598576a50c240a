/// The closed account of every request: nothing is lost without a line.
///
///     sendings = sent + repeated
///     planned  = sent + dropped
///     sent     = answered + transport + cancelled + inFlightAtEnd
///     answered = conformant + violating + unchecked
public struct Ledger: Sendable, Codable, Hashable {
  /// Requests whose moment had come: the scenario wanted them sent.
  public var planned = 0
  /// Requests that were handed to the network.
  public var sent = 0
  /// Planned and never sent, by reason.
  package var dropped: [ReasonCount] = []
  /// Requests with a complete answer.
  public var answered = 0
  /// Requests that failed without a complete answer.
  public var transport = 0
  /// Requests that the client gave up on purpose.
  public var cancelled = 0
  /// Requests still under way when the run ended.
  public var inFlightAtEnd = 0
  /// Answers that match the contract.
  public var conformant = 0
  /// Answers that break it.
  public var violating = 0
  /// Answers that were not checked, by reason.
  package var unchecked: [ReasonCount] = []
  /// Redirect answers (3xx) among the answered; one that is followed is another request.
  package var redirects = 0
  /// Sendings beyond the first of a request: its connection was closed before an answer, and it was sent again. They
  /// are not in `sent`, which counts requests.
  package var repeated = 0
  /// Requests for which their user had a TCP connection that an earlier answer had left free, unless the server had closed
  /// it; and those of them that had to open another, for it had.
  package var reusable = 0
  package var reopened = 0

  package init() {}

  /// How often a request was put on the wire.
  package var sendings: Int { sent + repeated }
  /// Requests that were planned and never sent.
  public var droppedTotal: Int { dropped.reduce(0) { $0 + $1.count } }
  /// Answers that could not be checked.
  public var uncheckedTotal: Int { unchecked.reduce(0) { $0 + $1.count } }

  /// The equations that do not hold, as sentences; empty for a ledger that adds up.
  package var contradictions: [String] {
    var broken: [String] = []
    func hold(_ name: String, _ total: Int, _ parts: Int) {
      if total != parts { broken.append("\(name) is \(total), but its parts sum to \(parts)") }
    }
    hold("planned", planned, sent + droppedTotal)
    hold("sent", sent, answered + transport + cancelled + inFlightAtEnd)
    hold("answered", answered, conformant + violating + uncheckedTotal)
    // Each request is sent again at most once.
    if reopened > reusable { broken.append("reopened is \(reopened), of \(reusable) that were reusable") }
    if repeated > sent { broken.append("repeated is \(repeated), and only \(sent) requests were sent") }
    return broken
  }
}

extension Ledger {
  /// Reads a ledger; one of a version that did not count repeats has none.
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
  }
}

/// How the requests of one operation ended. Each is counted once, in the first line that fits, so together they are all
/// requests that were sent.
package struct RequestEnds: Sendable, Codable, Hashable {
  /// Answers, of whatever status, that break the contract, a rule of HTTP, or what their step of the scenario expects.
  package var violating = 0
  /// Answers of which something could not be checked, and of which nothing is known to be wrong.
  package var unchecked = 0
  /// Answers with status 429 that keep the contract.
  package var refused = 0
  /// Answers with another status of 4xx or 5xx that keep the contract, and that no step expects.
  package var errors = 0
  /// The other answers: they keep the contract.
  package var ok = 0
  /// Lost, timed out, or without an answer when the run ended.
  package var unanswered = 0
  /// Given up by the client on purpose, as a superseded search is.
  package var cancelled = 0

  package init() {}

  package var answers: Int { violating + unchecked + refused + errors + ok }
  package var total: Int { answers + unanswered + cancelled }

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
