/// The closed account of every request: nothing is lost without a line.
///
///     planned  = sent + dropped
///     sent     = answered + transport + cancelled + inFlightAtEnd
///     answered = conformant + violating + unchecked
public struct Ledger: Sendable, Codable, Hashable {
  /// Requests whose moment had come: the scenario wanted them sent.
  public var planned = 0
  public var sent = 0
  /// Planned and never sent, by reason.
  public var dropped: [ReasonCount] = []
  public var answered = 0
  public var transport = 0
  public var cancelled = 0
  public var inFlightAtEnd = 0
  public var conformant = 0
  public var violating = 0
  /// Answers that were not checked, by reason.
  public var unchecked: [ReasonCount] = []
  /// Redirect answers (3xx) among the answered; never followed silently.
  public var redirects = 0

  public init() {}

  public var droppedTotal: Int { dropped.reduce(0) { $0 + $1.count } }
  public var uncheckedTotal: Int { unchecked.reduce(0) { $0 + $1.count } }

  /// The equations that do not hold, as sentences; empty for a ledger that adds up.
  public var contradictions: [String] {
    var broken: [String] = []
    func hold(_ name: String, _ total: Int, _ parts: Int) {
      if total != parts { broken.append("\(name) is \(total), but its parts sum to \(parts)") }
    }
    hold("planned", planned, sent + droppedTotal)
    hold("sent", sent, answered + transport + cancelled + inFlightAtEnd)
    hold("answered", answered, conformant + violating + uncheckedTotal)
    return broken
  }
}
