/// Kinds of findings about budgets, traffic, coverage and murphy itself.
extension FindingRule {
  static let promisesRows: [Row] = [
    Row(
      .budgetLatency, .error, "An operation was slower than its budget.",
      example: "listLaws: p95 is 412ms, over the budget of 300ms",
      remedy: """
        See in the curve of the operation whether all requests are slow or a few, and from when on. Make the operation \
        quicker, or change its budget under `expect: budgets:`. The latency counts from the intended start, so \
        waiting in a queue is part of it.
        """),
    Row(
      .budgetErrors, .error, "An operation failed more often than its budget allows.",
      example: "all operations: errors are 2.4% (57 of 2375), over the budget of 1%",
      remedy: """
        Look at the statuses and lost requests of each operation: they say what the errors are. Statuses that a step \
        means to get do not count once it names them: `expect: { status: [404] }`. Else raise `errors` of the budget.
        """),
    Row(
      .budgetThroughput, .error, "An operation was answered less often than its budget asks for.",
      example: "listLaws: throughput is 148/s, below the budget of 200/s",
      remedy: """
        Check first that the load asks for that much: an open load of 150/s cannot give 200 responses. Then look for \
        what saturates: processors, connections to the database, or users of a closed load who wait for slow responses.
        """),
    Row(
      .budgetRegression, .error, "An operation was slower, or failed more often, than in the runs of the baseline.",
      example: """
        listLaws: latency is worse than in the baseline's 10 runs: +18% (+12% .. +24%) against the baseline; 9% or \
        more would have been seen
        """,
      remedy: """
        Compare what changed since the baseline: `murphy compare` of both versions, live and interleaved, tells a \
        slower version from a slower machine. If the change is accepted, record a new baseline with runs of this \
        version.
        """),
    Row(
      .budgetLoadDrift, .note, "An operation is slower, or fails more often, where the load is higher.",
      example: "listLaws: latency grows with the load: 24ms up to 180 requests/s, 61ms above",
      remedy: """
        Find what fills up above that load: worker threads, database connections, a lock, the processor. `murphy \
        capacity` finds the highest load that keeps all promises. The note fails no run.
        """),
    Row(
      .budgetTimeDrift, .note, "An operation is slower, or fails more often, from some moment on.",
      example: "listLaws: latency grew during the run: 22ms before 24s (14:02:10 UTC), 48ms since",
      remedy: """
        Look into the API's own log and metrics at that moment: a job, a deployment, a cache that was emptied, a table \
        or heap that grows. A longer run tells a single change from a leak. The note fails no run.
        """),
    Row(
      .trafficCompleted, .error, "Too few sessions ended as scripted.",
      example: "session completion 22.08% (68 of 308), required ≥ 99%",
      remedy: """
        The finding's lines count why sessions ended early: a lost request, a status that a step does not expect, a \
        `save:` that matched nothing. Mend the API or the step; `on:` says which outcomes are meant, `completed:` \
        which share is enough.
        """),
    Row(
      .trafficCalled, .error, "An operation that the scenario names was never called.",
      example: """
        Every operation that the scenario names should be called: 1 of 6 operations were never called: submitLaw. No \
        session got that far, or the branch with the call was never taken
        """,
      remedy: """
        Look why its step was never reached: a session that ends before, a condition that never held, a share too \
        small for the run's length. `called: [listLaws, …]` under `expect:` names those that must be called.
        """),
    Row(
      .trafficSessions, .error, "A kind of session never ended as scripted.",
      example: """
        Every kind of session should complete at least once: none completed of: vote (130 began, 122 ended early)
        """,
      remedy: """
        Run `murphy try FILE --session vote`: it prints each request of one user and why the session ended. If the \
        session need not complete, name the others under `expect: { sessions: […] }`.
        """),
    Row(
      .trafficConnections, .error, "The server kept too few connections open for the next request.",
      example: """
        At least 90% of the requests should find a connection open: 211 of 1204 requests (17.52%) found the connection \
        of an earlier response open
        """,
      remedy: """
        Raise the server's and the proxy's keep-alive time above the pauses of users, and do not send `Connection: \
        close`. Check the number of requests after which a connection is closed. Else lower `connections: reused >= \
        90%`.
        """),
    Row(
      .coverageBelow, .error, "The run saw less of the contract than the scenario requires.",
      example: "contract coverage is 61.2%, below the 80% asked for",
      remedy: """
        The report lists what of the contract was never seen. Let sessions provoke it (statuses by wrong requests, \
        branches by other things), narrow it with `only:`, or lower `at-least` under `coverage:`.
        """),
    Row(
      .coverageLost, .error, "Something of the contract that earlier runs saw was not seen.",
      example: "getLaw: status 404 was seen by earlier runs and not by this one",
      remedy: """
        Find out whether the API no longer responses so or the sessions no longer ask for it. If it is meant, remove the \
        line from the `baseline` file and run with `--update-baseline`.
        """),
    Row(
      .generatorFindings, .warning, "There were more different findings than murphy keeps.",
      example: "114 more findings came after 500 different ones and were only counted",
      remedy: """
        Mend what the first findings name and run again: the rest usually goes with it. Messages that differ with each \
        response often come from texts in the contract's keys or from a server that fails in a new way each time.
        """),
    Row(
      .generatorTeardown, .warning, "The teardown failed, so that what the run made may still be there.",
      example: "the teardown failed: removeLaw: status 403; what the run made may still be there",
      remedy: """
        Mend the step of `teardown:` that failed, and remove by hand what the run has made. The verdict rests on the \
        load alone and does not change.
        """),
  ]
}
