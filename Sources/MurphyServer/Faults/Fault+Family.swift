extension Fault {
  public var family: FaultFamily {
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
