/// What holds for every finding of a kind.
package struct FindingRule: Sendable, Hashable {
  /// The judge that reports it.
  package enum Family: String, Sendable, Hashable, CaseIterable {
    /// Does every answer match the contract?
    case contract
    /// Is every rate limit as promised?
    case limit
    /// Do counts, versions and lists follow from what was sent?
    case state
    /// Are the budgets for latency, errors and throughput met?
    case budget
    /// Do the sessions end as scripted, and is everything called?
    case traffic
    /// Do answers fit what was asked for, and each other?
    case relation
    /// How much of the contract did the run see?
    case coverage
    /// Did every request get a sound answer of HTTP?
    case transport
    /// Does the API accept what its contract allows, and refuse what it forbids?
    case explore
    /// Murphy's own limits.
    case generator

    /// Whether a finding's count is of the answers that show it, and not of occurrences.
    package var countsAnswers: Bool { self == .contract || self == .relation }
  }

  /// The judge that reports it.
  package var family: Family
  /// How severe it is, unless the occurrence itself says otherwise.
  package var severity: Finding.Severity
  /// Whether a late or overloaded generator can cause it: such a finding decides nothing when murphy was the bottleneck.
  package var restsOnTiming: Bool
  /// What is wrong, in a sentence.
  package var sentence: String
}

extension FindingKind: CustomStringConvertible {
  public var description: String { rawValue }

  /// The judge that reports it.
  package var family: FindingRule.Family { rule.family }

  /// The id without its family: `over-admission`.
  package var name: String { String(rawValue.dropFirst(family.rawValue.count + 1)) }

  /// What holds for every finding of the kind.
  package var rule: FindingRule {
    switch self {
    case .contractStatus: .contract(.error, "The contract does not document the status of an answer.")
    case .contractContentType: .contract(.error, "The contract does not document the content type of an answer.")
    case .contractHeader: .contract(.error, "A header of an answer does not match the contract, or is missing.")
    case .contractBody: .contract(.error, "The body of an answer does not match its schema in the contract.")
    case .contractUndocumentedField:
      .contract(
        .error, "An answer has a field that the contract does not document, and the scenario forbids such fields.")
    case .contractExpectation: .contract(.error, "An answer is not what a step of the scenario expects.")
    case .contractGraphQL: .contract(.error, "An answer to a GraphQL request has errors, whatever its status.")
    case .contractUnchecked:
      .contract(.error, "Answers could not be checked, and the scenario requires that every answer is.")
    case .contractRequest: .contract(.warning, "A request of the scenario does not match the contract.")
    case .contractRequestBody:
      .contract(.warning, "The body of a request of the scenario does not match its schema in the contract.")
    case .contractUndocumentedOperation:
      .contract(.warning, "The scenario sends requests that no operation of the contract describes.")
    case .contractVacuous: .contract(.warning, "A schema of the contract accepts what it should reject.")
    case .contractUndeclaredHeader:
      .contract(.warning, "Answers have rate-limit headers that the contract does not declare.")
    case .contractMixedFormat: .contract(.warning, "One field holds times in several formats.")
    case .contractAbsentProperty:
      .contract(.note, "A documented property came in none of the answers that were sampled.")
    case .contractRequiresNothing:
      .contract(.note, "Objects in answers have documented properties, none of them required.")
    case .contractExtraField: .contract(.note, "Answers have fields that no schema documents.")
    case .contractNotTested:
      .contract(.note, "The contract documents operations, statuses or parameters that this run did not touch.")
    case .contractErrorShapes: .contract(.note, "Error answers come in forms that have no member in common.")
    case .limitOverAdmission: .limit(.error, "A rate limit admitted more requests than it promises.")
    case .limitOverThrottling: .limit(.error, "A rate limit refused a request that it promises to admit.")
    case .limitContradictory: .limit(.error, "No rate limit of the promised kind decides as this one did.")
    case .limitContradiction:
      .limit(.warning, "A limit of the scenario replaces a different limit of the contract.")
    case .limitLongWait: .limit(.error, "A client had to wait longer for readmission than the scenario allows.")
    case .limitTerms:
      .limit(.error, "The probed limiter has another allowance, window or algorithm than the promised one.")
    case .limitUnlimited: .limit(.error, "A rate limit is promised, and no request of the probe was refused.")
    case .limitRace:
      .limit(
        .error, "Requests that come together get more than the quota.")
    case .limitCountsRefused: .limit(.error, "Rejected requests take from the quota, and are declared not to.")
    case .limitCountsFailed:
      .limit(.error, "Malformed requests take from the quota, and failed ones are declared not to.")
    case .limitBypassXForwardedFor:
      .limit(.error, "A made-up X-Forwarded-For header is admitted when the quota is used up.")
    case .limitBypassXRealIP: .limit(.error, "A made-up X-Real-IP header is admitted when the quota is used up.")
    case .limitBypassForwarded: .limit(.error, "A made-up Forwarded header is admitted when the quota is used up.")
    case .limitKeySourceAddress: .limit(.error, "The limiter does not treat source addresses as the promised key says.")
    case .limitKeyXForwardedFor: .limit(.error, "The limiter does not treat X-Forwarded-For as the promised key says.")
    case .limitKeyXRealIP: .limit(.error, "The limiter does not treat X-Real-IP as the promised key says.")
    case .limitKeyForwarded: .limit(.error, "The limiter does not treat Forwarded as the promised key says.")
    case .limitKeyDeviceHeader: .limit(.error, "The limiter does not treat the device header as the promised key says.")
    case .limitKeyAuthorization: .limit(.error, "The limiter does not treat credentials as the promised key says.")
    case .limitKeyRoute: .limit(.error, "The limiter counts spellings of one route apart.")
    case .limitKeyQuery: .limit(.error, "The limiter does not treat the query as the promised key says.")
    case .limitKeyMethod: .limit(.error, "The limiter does not treat the method as the promised key says.")
    case .limitWrongStatus: .limit(.warning, "A refusal has another status than 429.")
    case .limitRefusalBody: .limit(.error, "A refusal has a body that clients of the API cannot decode.")
    case .limitSlowRefusal: .limit(.error, "A refusal takes longer than its budget.")
    case .limitSlowsNeighbours: .limit(.warning, "Other clients are slower after one was refused.")
    case .limitNoRetryHint: .limit(.note, "A refusal does not say when to come back.")
    case .limitHeaderSyntax: .limit(.error, "A rate-limit header does not have the syntax of its specification.")
    case .limitHeaderContradictsPolicy:
      .limit(.error, "A rate-limit header declares another limit than the promised one.")
    case .limitBodyContradictsHeader: .limit(.error, "The body and the headers of a refusal give different waits.")
    case .limitPolicyChanges: .limit(.warning, "The declared policy changes between answers.")
    case .limitRemainingImpossible: .limit(.error, "The number of remaining requests is impossible.")
    case .limitRemainingRepeats: .limit(.error, "Two admissions leave the same number of remaining requests.")
    case .limitRemainingTooHigh:
      .limit(.error, "More requests are said to remain than are then admitted or can be left.")
    case .limitRemainingJumps: .limit(.warning, "The number of remaining requests falls by more than was sent.")
    case .limitResetImplausible: .limit(.error, "The announced reset lies further ahead than a window.")
    case .limitRetryAfterTooShort: .limit(.error, "A client that waits as long as Retry-After says is refused again.")
    case .limitRetryAfterTooLong: .limit(.error, "Retry-After asks for a longer wait than the limit needs.")
    case .limitRetryAfterDrift: .limit(.error, "Retry-After announces another moment with each refusal.")
    case .limitRetryAfterBeforeReset: .limit(.warning, "Retry-After ends before the announced reset.")
    case .stateLedgerMissing: .state(.error, "Votes that were accepted are missing from the counts.")
    case .stateLedgerSurplus: .state(.error, "Counts are higher than the votes that were sent can make them.")
    case .stateCounterBack: .state(.error, "A count went back though nothing lowers it.")
    case .stateCounterMissing: .state(.error, "Accepted increments are missing from a count.")
    case .stateCounterSurplus: .state(.error, "A count is higher than the increments that were sent can make it.")
    case .stateVersionStep:
      .state(.error, "A change was given a version that does not follow the one that it was based on.")
    case .stateVersionTwice: .state(.error, "Two changes were accepted with one version.")
    case .stateVersionBack:
      .state(.error, "A version went back: an older one was shown after a newer one was answered.")
    case .stateVersionContent: .state(.error, "One version has two contents.")
    case .stateVersionUnwritten: .state(.error, "A version was shown that nobody wrote.")
    case .stateVersionRefused: .state(.error, "A change was refused though it was based on the current version.")
    case .stateRegisterStale: .state(.error, "A value was shown that had been replaced before it was asked for.")
    case .stateRegisterUnwritten: .state(.error, "A value was shown that nobody wrote.")
    case .stateRegisterOrder: .state(.error, "No order of the writes explains what the reads show.")
    case .stateSetTwice: .state(.error, "Two creations were answered with one id.")
    case .stateSetEarly: .state(.error, "A thing was shown or deleted before its creation was sent.")
    case .stateSetReturned: .state(.error, "A thing was shown after its deletion was answered.")
    case .stateSetMissing: .state(.error, "A thing that was created and not deleted was not there.")
    case .stateSetUnknown: .state(.error, "More things were shown than can have been created.")
    case .stateSetSnapshot: .state(.error, "One list shows things that were never there together.")
    case .stateSetForeign: .state(.error, "A list shows a thing that another user created.")
    case .stateSetRepeated:
      .state(.error, "A creation that was sent again with its idempotency key made a second thing.")
    case .stateDeliveryCount: .state(.error, "A batch of messages got another number of tickets.")
    case .stateDeliveryOrder: .state(.error, "A ticket belongs to another message of its batch.")
    case .stateDeliveryTwice: .state(.error, "The id of a ticket was given out twice.")
    case .stateDeliveryMissing: .state(.error, "A ticket has no receipt when one is due.")
    case .stateDeliveryUnasked: .state(.error, "A receipt came that was not asked for.")
    case .stateDeliveryWrong: .state(.error, "A receipt contradicts its message, or an earlier receipt.")
    case .stateDeliveryRepeated:
      .state(.error, "A batch that was sent again with its idempotency key got other tickets.")
    case .stateSessionBack: .state(.error, "A session was shown something older than what it had written or read.")
    case .stateFormula: .state(.error, "A formula of the scenario does not hold for what an answer shows.")
    case .budgetLatency: .budget(.error, "An operation was slower than its budget.")
    case .budgetErrors: .budget(.error, "An operation failed more often than its budget allows.")
    case .budgetThroughput: .budget(.error, "An operation was answered less often than its budget asks for.")
    case .budgetRegression:
      .budget(.error, "An operation was slower, or failed more often, than in the runs of the baseline.")
    case .budgetLoadDrift: .budget(.note, "An operation is slower, or fails more often, where the load is higher.")
    case .budgetTimeDrift: .budget(.note, "An operation is slower, or fails more often, from some moment on.")
    case .trafficCompleted: .traffic(.error, "Too few sessions ended as scripted.")
    case .trafficCalled: .traffic(.error, "An operation that the scenario names was never called.")
    case .trafficSessions: .traffic(.error, "A kind of session never ended as scripted.")
    case .trafficConnections: .traffic(.error, "The server kept too few connections open for the next request.")
    case .relationPageSize: .relation(.error, "A page has more items than the request asks for.")
    case .relationEcho: .relation(.error, "A page names another limit, offset or page than the request.")
    case .relationTotal:
      .relation(.error, "The total of a collection contradicts its pages, or changes though nothing was written.")
    case .relationLastPage: .relation(.error, "The number of the last page does not follow from the total.")
    case .relationShortPage: .relation(.error, "A page that is not the last has fewer items than the request asks for.")
    case .relationRepeats: .relation(.error, "An item comes twice, on one page or on two.")
    case .relationSkips: .relation(.error, "Pages leave items out, or end too early.")
    case .relationOrder: .relation(.error, "Items are not sorted as the request asks.")
    case .relationFilter: .relation(.error, "An item does not have the value that the request filters by.")
    case .relationFiltersTogether: .relation(.error, "Two filters together fit neither both of them nor one of them.")
    case .relationIdentity: .relation(.error, "Another item came back than the one asked for.")
    case .relationExchanged: .relation(.error, "Answers of requests under way at the same time were exchanged.")
    case .relationParent: .relation(.error, "Items are listed below a thing that they do not belong to.")
    case .relationCounts: .relation(.warning, "An item tells of another number of things than are listed below it.")
    case .relationSearch: .relation(.error, "A search gives the same as no search, or more when letters are added.")
    case .relationCursor: .relation(.error, "A cursor does not lead on, leads in a circle, or ends too early.")
    case .relationListItem: .relation(.error, "An item reads otherwise in a list than by itself.")
    case .relationOneSided: .relation(.note, "A list and its items by themselves have different fields.")
    case .relationNext: .relation(.error, "A link leads to another page than the one it names, or nowhere.")
    case .relationETag: .relation(.error, "An entity tag stays though the content changed.")
    case .relationNotModified:
      .relation(.error, "A request with an entity tag is not answered as the content demands (RFC 9110 §13.1.2).")
    case .relationHead: .relation(.error, "HEAD is answered otherwise than GET (RFC 9110 §9.3.2).")
    case .relationLocation: .relation(.error, "What was created cannot be read at its Location (RFC 9110 §10.2.2).")
    case .relationAllow:
      .relation(.error, "Allow names methods that do not work, or leaves out methods that do (RFC 9110 §10.2.1).")
    case .relationVary:
      .relation(.warning, "The representation depends on a field that Vary does not name (RFC 9110 §12.5.5).")
    case .coverageBelow: .coverage(.error, "The run saw less of the contract than the scenario requires.")
    case .coverageLost: .coverage(.error, "Something of the contract that earlier runs saw was not seen.")
    case .transportOutage: .transport(.error, "For a stretch of the run no request was answered.")
    case .transportStalled:
      .transport(
        .warning, "For a stretch of the run nothing was answered; what waited was answered afterwards.", timing: true)
    case .transportRefused: .transport(.error, "The target refused a connection.", timing: true)
    case .transportUnreachable: .transport(.error, "The target could not be reached.", timing: true)
    case .transportUnresolved: .transport(.error, "The target's name has no address.", timing: true)
    case .transportConnectTimeout: .transport(.error, "A connection was not established in time.", timing: true)
    case .transportTimeout: .transport(.error, "An answer did not come in time.", timing: true)
    case .transportUnanswered:
      .transport(
        .error, "A request was still without an answer when the run ended, after longer than the run waits.",
        timing: true)
    case .transportClosed: .transport(.error, "A connection was closed before an answer began.", timing: true)
    case .transportClosedEarly:
      .transport(
        .error, "A connection that was kept alive was closed sooner than it may be, and a request was lost.",
        timing: true)
    case .transportClosedIdle:
      .transport(.warning, "A connection that had been idle was closed while a request was on its way.", timing: true)
    case .transportIncomplete: .transport(.error, "An answer ended early.", timing: true)
    case .transportBodyLimit: .transport(.warning, "A body was longer than murphy reads.")
    case .transportNotHTTP: .transport(.error, "What came was not HTTP.")
    case .transportEncryption:
      .transport(.error, "A TLS connection failed, or its certificate was not accepted.", timing: true)
    case .transportReconnects:
      .transport(.note, "The server closes most connections, so that clients open new ones.", timing: true)
    case .transportExhausted:
      .transport(.error, "This machine had no port, file or memory left for a request.", timing: true)
    case .transportOther: .transport(.error, "A request failed for another reason.", timing: true)
    case .transportLengthAndEncoding:
      .transport(.error, "An answer has both Content-Length and Transfer-Encoding (RFC 9112 §6.3).")
    case .transportContentLength: .transport(.error, "Content-Length is not one whole number (RFC 9112 §6.3).")
    case .transportTransferEncoding:
      .transport(
        .error, "A Transfer-Encoding was not asked for, or the chunks of a body cannot be read (RFC 9112 §6.1, §7.1).")
    case .transportSurplusBytes: .transport(.error, "Bytes came that belong to no answer.")
    case .transportContentEncoding:
      .transport(
        .error, "A body is not in the content coding that it names, or the request did not ask for it (RFC 9110 §8.4).")
    case .transportHeaderBytes:
      .transport(.error, "A header section holds a NUL or a bare carriage return (RFC 9110 §5.5).")
    case .transportHeaderSyntax: .transport(.error, "A header line is not a name and a value (RFC 9112 §5).")
    case .transportHeaderFolding: .transport(.error, "A header line is folded over several lines (RFC 9112 §5.2).")
    case .transportLineEnding: .transport(.warning, "Header lines end without a carriage return (RFC 9112 §2.2).")
    case .transportStatus: .transport(.error, "A status is not a number from 100 to 599 (RFC 9110 §15).")
    case .transportUpgrade:
      .transport(.error, "The server switched protocols without having been asked to (RFC 9110 §15.2.2).")
    case .transportHeaderSize: .transport(.error, "A header section or line is too long to be read.")
    case .transportInterim: .transport(.error, "Too many interim answers came before an answer.")
    case .transportMissingAllow: .transport(.warning, "Answers have status 405 and no Allow header (RFC 9110 §15.5.6).")
    case .transportMissingChallenge:
      .transport(.warning, "Answers have status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2).")
    case .transportMissingDate: .transport(.note, "Answers have no Date header (RFC 9110 §6.6.1).")
    case .transportLengthOfNothing:
      .transport(.warning, "Answers have status 204 and a Content-Length header (RFC 9110 §8.6).")
    case .transportOpenCredentials:
      .transport(.warning, "Answers allow credentials from any origin, which browsers refuse (Fetch §3.2.5).")
    case .transportUnvariedCoding:
      .transport(.note, "Compressed answers do not say that they vary by Accept-Encoding (RFC 9110 §12.5.5).")
    case .transportSharedETag:
      .transport(.warning, "One strong ETag stands for two contents of one URL (RFC 9110 §8.8.1).")
    case .transportRestlessETag: .transport(.note, "The ETag of a URL changes though its content does not.")
    case .exploreServerError: .explore(.error, "A request is answered with a status of class 5.")
    case .exploreNoAnswer:
      .explore(.error, "A request gets no answer: the connection is closed, or nothing comes in time.")
    case .exploreInvalidAccepted: .explore(.error, "A request that the contract forbids is accepted.")
    case .exploreValidRefused: .explore(.error, "A request that the contract allows is refused.")
    case .exploreAuthIgnored:
      .explore(.error, "An operation that needs credentials answers without them, or with wrong ones.")
    case .exploreOtherUser: .explore(.error, "What one user made, another one may use.")
    case .exploreUndocumentedMethod: .explore(.error, "A method that the path does not document succeeds.")
    case .exploreInternals:
      .explore(.error, "An error shows internals: a stack trace, a statement of SQL, a path of the server.")
    case .exploreNotKept: .explore(.error, "What was written is not what is read.")
    case .exploreNotDeleted: .explore(.error, "What was deleted can still be read.")
    case .exploreNotListed: .explore(.error, "What was made does not stand in its list.")
    case .exploreNotThere: .explore(.error, "What an answer names as its Location is not there.")
    case .exploreUseAfterDelete: .explore(.error, "What was deleted can still be changed.")
    case .generatorFindings: .generator(.warning, "There were more different findings than murphy keeps.")
    case .generatorTeardown: .generator(.warning, "The teardown failed, so that what the run made may still be there.")
    }
  }
}
