import Murphy
import MurphyModel

/// One fault of Murphy's Laws, and what the shipped release gate finds of it.
struct GateFault {
  let name: String
  /// The kinds of finding that show it: at least one of them.
  let kinds: [FindingKind]
  /// What the finding is about; nil for any operation.
  let operation: String?
  /// The session that shows it.
  let session: String
  /// The share of the gate's arrivals that shows it.
  var load = 0.2
  /// The longest wait for a response, where it is not the gate's own.
  var timeout: Duration?

  init(
    _ name: String, _ kinds: [FindingKind], _ operation: String?, by session: String, load: Double = 0.2,
    timeout: Duration? = nil
  ) {
    self.name = name
    self.kinds = kinds
    self.operation = operation
    self.session = session
    self.load = load
    self.timeout = timeout
  }
}

extension GateFault {
  /// The faults that the gate finds; those that make responses slow first, since their runs take longest.
  static let found = latency + transport + contract + votes + reading + settings + limits

  private static let contract = [
    GateFault("missing-field", [.contractBody], "getLaw", by: "browse"),
    GateFault("number-as-string", [.contractBody], "listLaws", by: "explore"),
    GateFault("null-field", [.contractBody], "getLawOfTheDay", by: "browse"),
    GateFault("extra-field", [.contractBody], "listCategories", by: "explore"),
    GateFault("bad-date", [.contractBody], "getLaw", by: "browse"),
    GateFault("bad-enum", [.contractBody], "listAttributions", by: "explore"),
    GateFault("long-text", [.contractBody], "getLaw", by: "browse"),
    GateFault("invalid-utf8", [.contractBody], "getLaw", by: "browse"),
    GateFault("negative-total", [.contractBody], "listLaws", by: "explore"),
    GateFault("fractional-count", [.contractBody], "voteLaw", by: "vote"),
    GateFault("object-for-array", [.contractBody], "listLaws", by: "explore"),
    GateFault("page-too-long", [.contractBody], "listLaws", by: "explore"),
    GateFault("undocumented-status", [.contractStatus], "voteLaw", by: "vote"),
    GateFault("teapot", [.contractStatus], "getLaw", by: "browse"),
    GateFault("error-as-200", [.contractBody], "listLaws", by: "explore"),
    GateFault("server-error", [.contractStatus], "listLaws", by: "explore"),
    GateFault("html-error", [.contractStatus], "listCategories", by: "explore"),
    GateFault("wrong-content-type", [.contractContentType], "listLaws", by: "explore"),
    GateFault("missing-content-type", [.contractContentType], "getLaw", by: "browse"),
    GateFault("missing-header", [.contractHeader], "getLaw", by: "browse"),
    GateFault("bad-header", [.contractHeader], "voteLaw", by: "vote"),
    GateFault("truncated-json", [.contractBody], "getLaw", by: "browse"),
    GateFault("empty-body", [.contractBody], "voteLaw", by: "vote"),
    GateFault("time-with-seconds", [.contractBody], "getPreferences", by: "remind"),
    GateFault("enabled-as-number", [.contractBody], "setPreferences", by: "remind"),
    GateFault("bare-error", [.contractBody], "getLaw", by: "browse"),
  ]

  private static let latency = [
    GateFault("slow-list", [.budgetLatency], "listLaws", by: "explore"),
    GateFault("slow-vote", [.budgetLatency], "voteLaw", by: "vote"),
    GateFault("serial-votes", [.budgetLatency], "voteLaw", by: "vote", load: 0.06),
    GateFault("busy-list", [.budgetLatency], "listLaws", by: "explore", load: 1),
    GateFault("stall", [.budgetLatency], "voteLaw", by: "vote"),
    GateFault("growing-delay", [.budgetLatency], "voteLaw", by: "vote"),
    GateFault("slow-tail", [.budgetLatency], "listLaws", by: "browse", load: 1),
    GateFault("slow-429", [.budgetLatency], "voteLaw", by: "vote"),
    GateFault("limit-slows-neighbours", [.budgetLatency], "voteLaw", by: "vote"),
  ]

  private static let ledger: [FindingKind] = [.stateLedgerMissing, .stateLedgerSurplus]

  private static let votes = [
    GateFault("lost-vote", ledger, nil, by: "vote"),
    GateFault("double-vote", [.stateLedgerSurplus], nil, by: "vote"),
    GateFault("repeat-vote", [.stateLedgerSurplus], nil, by: "vote"),
    GateFault("repeat-takes-back", [.stateLedgerMissing], nil, by: "vote"),
    GateFault("wrong-law-vote", ledger, nil, by: "vote"),
    GateFault("vote-flips-back", [.stateLedgerMissing], nil, by: "vote"),
    GateFault("vote-race", ledger, nil, by: "vote"),
    GateFault("removed-vote-stays", [.stateLedgerSurplus], "removeVote", by: "vote"),
    GateFault("changed-vote-adds", [.stateLedgerSurplus], nil, by: "vote"),
    GateFault("refused-vote-counted", [.stateLedgerSurplus], nil, by: "vote"),
    GateFault("votes-written-late", ledger, nil, by: "vote"),
    GateFault("repeated-id", [.contractExpectation], "submitLaw", by: "vote"),
  ]

  private static let reading = [
    GateFault("stale-reads", ledger, "getLaw", by: "vote"),
    GateFault("counts-go-back", ledger, "getLaw", by: "vote"),
    GateFault("stale-lists", ledger, "listLaws", by: "vote"),
    GateFault("changing-law-of-day", [.contractExpectation], "getLawOfTheDay", by: "browse"),
    GateFault("duplicates-across-pages", [.relationRepeats], "listLaws", by: "browse"),
    GateFault("unsorted-list", [.relationOrder], "listLaws", by: "explore"),
    GateFault("filter-ignored", [.relationFilter], "listLaws", by: "explore"),
    GateFault("shifting-total", [.relationTotal], "listLaws", by: "browse"),
    GateFault("order-ignored", [.relationOrder], "listLaws", by: "explore"),
    GateFault("direction-ignored", [.relationOrder], "listLaws", by: "explore"),
    GateFault("filter-dropped", [.relationFilter], "listLaws", by: "explore"),
    GateFault("total-ignores-filter", [.relationShortPage, .relationSkips], "listLaws", by: "explore"),
    GateFault("page-repeats-rows", [.relationRepeats], "listLaws", by: "browse"),
    GateFault("page-skips-rows", [.relationSkips], "listLaws", by: "browse"),
    GateFault("page-ends-early", [.relationShortPage], "listLaws", by: "browse"),
    GateFault("one-too-many", [.relationPageSize], "listLaws", by: "explore"),
    GateFault("offset-not-echoed", [.relationEcho], "listLaws", by: "browse"),
    GateFault("wrong-law-under-id", [.relationIdentity], "getLaw", by: "browse"),
    GateFault("total-wavers", [.relationTotal], "listLaws", by: "browse"),
    GateFault("list-shows-old", ledger + [.relationListItem], "listLaws", by: "vote"),
    GateFault("answers-exchanged", [.relationExchanged], "getLaw", by: "browse", load: 0.5),
  ]

  private static let settings = [
    GateFault("preferences-lost", [.contractExpectation], "getPreferences", by: "remind"),
    GateFault("preferences-stale", [.contractExpectation], "getPreferences", by: "remind"),
    GateFault("preferences-mixed-up", [.contractExpectation], "getPreferences", by: "remind"),
    GateFault("time-reset", [.contractExpectation], "getPreferences", by: "remind"),
    GateFault("unregistered-device-stays", [.contractExpectation], "getPreferences", by: "remind"),
  ]

  private static let transport = [
    GateFault("reset", [.transportIncomplete], "getLaw", by: "browse"),
    GateFault("cut-body", [.transportIncomplete], "listLaws", by: "explore"),
    GateFault("hang", [.transportTimeout], "getLaw", by: "browse", load: 0.5, timeout: .seconds(2)),
    GateFault("huge-body", [.trafficSessions], nil, by: "explore"),
    GateFault("slow-body", [.budgetLatency], nil, by: "explore"),
    GateFault("garbage", [.transportNotHTTP], "getLaw", by: "browse"),
    GateFault("early-close", [.transportClosedEarly], nil, by: "vote"),
  ]

  private static let limits = [
    GateFault("limit-silent", [.limitOverAdmission], nil, by: "vote"),
    GateFault("limit-html", [.contractContentType], "voteLaw", by: "vote"),
    GateFault("limit-503", [.contractStatus], "voteLaw", by: "vote"),
    GateFault("retry-after-short", [.limitRetryAfterTooShort], nil, by: "vote"),
    GateFault("retry-after-long", [.limitRetryAfterTooLong], "voteLaw", by: "vote"),
    GateFault("retry-after-constant", [.limitRetryAfterTooLong], "voteLaw", by: "vote"),
    GateFault("retry-after-milliseconds", [.limitRetryAfterTooLong], "voteLaw", by: "vote"),
    GateFault("retry-after-missing", [.contractHeader], "voteLaw", by: "vote"),
    GateFault("retry-after-fraction", [.contractHeader], "voteLaw", by: "vote"),
    GateFault("retry-after-mismatch", [.limitBodyContradictsHeader], "voteLaw", by: "vote"),
    GateFault("rate-headers-limit", [.limitHeaderContradictsPolicy], nil, by: "vote"),
    GateFault("rate-headers-remaining", [.limitRemainingRepeats], nil, by: "vote"),
    GateFault("rate-headers-reset", [.limitResetImplausible], nil, by: "vote"),
    GateFault("limit-plus-one", [.limitOverAdmission], nil, by: "vote"),
    GateFault("limit-minus-one", [.limitOverThrottling], nil, by: "vote"),
    GateFault("limit-window-short", [.limitRetryAfterTooShort], nil, by: "vote"),
    GateFault("limit-window-long", [.limitRetryAfterTooLong], "voteLaw", by: "vote"),
    GateFault("limit-key-global", [.limitKeyDeviceHeader], nil, by: "vote"),
    GateFault("limit-key-address", [.limitKeyDeviceHeader], nil, by: "vote"),
    GateFault("limit-key-path", [.limitOverAdmission], nil, by: "vote"),
    GateFault("limit-spoofable", [.limitOverAdmission], nil, by: "vote"),
    GateFault("limit-race", [.limitOverAdmission, .limitRace], "submitLaw", by: "vote"),
    GateFault("limit-per-connection", [.limitOverAdmission], nil, by: "vote"),
    GateFault("limit-per-process", [.limitOverAdmission], nil, by: "vote"),
    GateFault("limit-counts-refused", [.limitRetryAfterTooLong], "voteLaw", by: "vote"),
    GateFault("limit-counts-failed", [.limitOverThrottling], nil, by: "vote"),
    GateFault("limit-fresh-refused", [.limitOverThrottling], nil, by: "vote"),
    GateFault("limit-unlimited", [.limitOverAdmission], nil, by: "vote"),
  ]

  /// The faults that the gate cannot find, with the reason.
  static let notFound: [(fault: String, reason: String)] = [
    ("slow-5-percent", "within every budget; a comparison with an earlier release finds it"),
    ("slow-tail-10-percent", "within every budget; a comparison with an earlier release finds it"),
    ("slow-start", "ends three seconds after the first request: too few responses for a percentile of the whole load"),
    ("limit-never-resets", "the load is shorter than a window, so that no client can be admitted again"),
  ]
}
