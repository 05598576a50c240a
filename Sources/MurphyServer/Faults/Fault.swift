/// A misbehaviour that a reference server can be told to show, named as in `--fault NAME`.
///
/// "Always" means each answer of the operation; "1 in n" means exactly one in each n of its answers, at a place drawn
/// from the server's seed.
///
/// | fault | shown by | when |
/// |---|---|---|
/// | missing-field, bad-date, long-text, invalid-utf8, truncated-json, missing-header, missing-content-type | getLaw | always |
/// | teapot, counts-go-back, stale-reads | getLaw | 1 in 4; after a vote |
/// | number-as-string, negative-total, object-for-array, page-too-long, wrong-content-type | listLaws | always |
/// | error-as-200, server-error | listLaws | 1 in 6; 1 in 10 |
/// | unsorted-list, filter-ignored, duplicates-across-pages, shifting-total | listLaws | always, for pages that show it |
/// | null-field, changing-law-of-day | getLawOfTheDay | always |
/// | extra-field, html-error | listCategories | always; 1 in 2 |
/// | bad-enum, huge-body, slow-body | listAttributions | always |
/// | undocumented-status, fractional-count, bad-header, empty-body | voteLaw | always |
/// | lost-vote, double-vote, wrong-law-vote | voteLaw | 1 in 4 new votes |
/// | repeat-vote, vote-flips-back, vote-race | voteLaw | always; a second later; when two meet |
/// | removed-vote-stays | removeVote | always |
/// | repeated-id | submitLaw | always |
/// | bare-error | all | each answer from 400 on |
/// | slow-list; slow-vote, serial-votes | listLaws; voteLaw | always |
/// | stall, growing-delay, slow-tail, slow-start | all | 2 s in each 10 s; always; 1 in 20; first 3 s |
/// | slow-429 | all that are limited | each 429 |
/// | reset, hang, garbage | getLaw | 1 in 10; 1 in 20; 1 in 10 |
/// | cut-body, early-close | listLaws; all | 1 in 10; always |
/// | limit-…, retry-after-…, rate-headers-… | all that are limited; voteLaw and removeVote show it soonest | see each |
package enum Fault: String, CaseIterable, Sendable {
  case missingField = "missing-field"
  case numberAsString = "number-as-string"
  case nullField = "null-field"
  case extraField = "extra-field"
  case badDate = "bad-date"
  case badEnum = "bad-enum"
  case longText = "long-text"
  case invalidUTF8 = "invalid-utf8"
  case negativeTotal = "negative-total"
  case fractionalCount = "fractional-count"
  case objectForArray = "object-for-array"
  case pageTooLong = "page-too-long"
  case undocumentedStatus = "undocumented-status"
  case teapot
  case errorAs200 = "error-as-200"
  case serverError = "server-error"
  case htmlError = "html-error"
  case wrongContentType = "wrong-content-type"
  case missingContentType = "missing-content-type"
  case missingHeader = "missing-header"
  case badHeader = "bad-header"
  case truncatedJSON = "truncated-json"
  case emptyBody = "empty-body"
  case bareError = "bare-error"

  case slowList = "slow-list"
  case slowVote = "slow-vote"
  case serialVotes = "serial-votes"
  case stall
  case growingDelay = "growing-delay"
  case slowTail = "slow-tail"
  case slowStart = "slow-start"
  case slow429 = "slow-429"

  case lostVote = "lost-vote"
  case doubleVote = "double-vote"
  case repeatVote = "repeat-vote"
  case wrongLawVote = "wrong-law-vote"
  case voteFlipsBack = "vote-flips-back"
  case voteRace = "vote-race"
  case removedVoteStays = "removed-vote-stays"
  case staleReads = "stale-reads"
  case countsGoBack = "counts-go-back"
  case changingLawOfDay = "changing-law-of-day"
  case duplicatesAcrossPages = "duplicates-across-pages"
  case unsortedList = "unsorted-list"
  case filterIgnored = "filter-ignored"
  case shiftingTotal = "shifting-total"
  case repeatedID = "repeated-id"

  case reset
  case cutBody = "cut-body"
  case hang
  case hugeBody = "huge-body"
  case slowBody = "slow-body"
  case earlyClose = "early-close"
  case garbage

  case limitPlusOne = "limit-plus-one"
  case limitMinusOne = "limit-minus-one"
  case limitWindowShort = "limit-window-short"
  case limitWindowLong = "limit-window-long"
  case limitKeyGlobal = "limit-key-global"
  case limitKeyAddress = "limit-key-address"
  case limitKeyPath = "limit-key-path"
  case limitSpoofable = "limit-spoofable"
  case limitRace = "limit-race"
  case limitPerProcess = "limit-per-process"
  case limitCountsRefused = "limit-counts-refused"
  case limitCountsFailed = "limit-counts-failed"
  case limitNeverResets = "limit-never-resets"
  case limitFreshRefused = "limit-fresh-refused"
  case limitUnlimited = "limit-unlimited"
  case limitSlowsNeighbours = "limit-slows-neighbours"
  case limitHTML = "limit-html"
  case limit503 = "limit-503"
  case limitSilent = "limit-silent"
  case retryAfterShort = "retry-after-short"
  case retryAfterLong = "retry-after-long"
  case retryAfterConstant = "retry-after-constant"
  case retryAfterMilliseconds = "retry-after-milliseconds"
  case retryAfterMissing = "retry-after-missing"
  case retryAfterFraction = "retry-after-fraction"
  case retryAfterMismatch = "retry-after-mismatch"
  case rateHeadersLimit = "rate-headers-limit"
  case rateHeadersRemaining = "rate-headers-remaining"
  case rateHeadersReset = "rate-headers-reset"

  /// All faults, family by family.
  package static var all: [Fault] { allCases }

  /// The name that `--fault` takes.
  package var name: String { rawValue }

  /// The fault of this name; an unknown name is an error that suggests the nearest one.
  package init(named name: String) throws(ServerError) {
    guard let fault = Fault(rawValue: name) else {
      throw ServerError(unknown: "fault", name, among: Fault.allCases.map(\.rawValue))
    }
    self = fault
  }
}

extension Fault {
  package var family: FaultFamily {
    switch self {
    case .missingField, .numberAsString, .nullField, .extraField, .badDate, .badEnum, .longText, .invalidUTF8,
      .negativeTotal, .fractionalCount, .objectForArray, .pageTooLong, .undocumentedStatus, .teapot, .errorAs200,
      .serverError, .htmlError, .wrongContentType, .missingContentType, .missingHeader, .badHeader, .truncatedJSON,
      .emptyBody, .bareError:
      .contract
    case .slowList, .slowVote, .serialVotes, .stall, .growingDelay, .slowTail, .slowStart, .slow429:
      .latency
    case .lostVote, .doubleVote, .repeatVote, .wrongLawVote, .voteFlipsBack, .voteRace, .removedVoteStays,
      .staleReads, .countsGoBack, .changingLawOfDay, .duplicatesAcrossPages, .unsortedList, .filterIgnored,
      .shiftingTotal, .repeatedID:
      .state
    case .reset, .cutBody, .hang, .hugeBody, .slowBody, .earlyClose, .garbage:
      .transport
    case .limitPlusOne, .limitMinusOne, .limitWindowShort, .limitWindowLong, .limitKeyGlobal, .limitKeyAddress,
      .limitKeyPath, .limitSpoofable, .limitRace, .limitPerProcess, .limitCountsRefused, .limitCountsFailed,
      .limitNeverResets, .limitFreshRefused, .limitUnlimited, .limitSlowsNeighbours, .limitHTML, .limit503,
      .limitSilent,
      .retryAfterShort, .retryAfterLong, .retryAfterConstant, .retryAfterMilliseconds, .retryAfterMissing,
      .retryAfterFraction, .retryAfterMismatch, .rateHeadersLimit, .rateHeadersRemaining, .rateHeadersReset:
      .limits
    }
  }
}

/// Which promise a fault breaks.
package enum FaultFamily: String, CaseIterable, Sendable {
  /// The answer is not what the OpenAPI document says.
  case contract
  /// The answer comes late.
  case latency
  /// The answer is well formed and on time, and wrong.
  case state
  /// The answer does not arrive whole.
  case transport
  /// The rate limiter does not do what it promises.
  case limits
}
