import MurphyModel

/// The exchanges of all sessions of one run, for a comparison of responses.
package struct RecordedRun: Sendable {
  /// In the order in which they ran: one after the other.
  package var sessions: [SessionExchanges] = []

  package init() {}

  package init(_ sessions: [SessionExchanges]) { self.sessions = sessions }
}

/// The exchanges of one session, in order.
package struct SessionExchanges: Sendable {
  /// The session's name in the scenario.
  package var name: String
  /// In the order of the requests.
  package var calls: [RecordedCall] = []

  package init(_ name: String, calls: [RecordedCall] = []) { (self.name, self.calls) = (name, calls) }
}

/// One request of a session with its response. Secrets are already masked.
package struct RecordedCall: Sendable {
  /// The operationId.
  package var operation: String
  /// The number of the step in its session: `3.else.1`.
  package var step: String
  /// The request and the response.
  package var exchange: Exchange
  /// The time of the response on the clock of this machine, since 1970.
  package var received: Duration
  /// How the request ended.
  package var ending: Ending

  /// The ways in which a request ends.
  package enum Ending: Sendable {
    case answered, failed
    /// The user, or the end of the run, ended it.
    case abandoned
  }

  package init(
    operation: String, step: String, exchange: Exchange, received: Duration, ending: Ending = .answered
  ) {
    (self.operation, self.step, self.exchange) = (operation, step, exchange)
    (self.received, self.ending) = (received, ending)
  }

  /// True if a rate limit, or an overloaded server, asks the client to come back later.
  var isDeferred: Bool {
    exchange.status == RefusalRule.tooManyRequests.status
      || exchange.status == 503 && exchange.responseHeaders.contains { $0.name.lowercased() == "retry-after" }
  }
}
