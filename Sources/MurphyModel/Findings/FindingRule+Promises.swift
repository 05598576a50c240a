/// Kinds of findings about budgets, traffic, coverage and murphy itself.
extension FindingRule {
  static let promisesRows: [Row] = [
    Row(
      .budgetLatency, .error, "An operation was slower than its budget.",
      example: "listLaws: p95 is 412 ms, over the budget of 300 ms",
      remedy: """
        The operation's chart shows whether all requests are slow or only a few, and since when. Make the operation \
        faster, or change its budget under `expect: budgets:`. Latency is measured from the scheduled start and \
        includes waiting in a queue.
        """),
    Row(
      .budgetErrors, .error, "An operation failed more often than its budget allows.",
      example: "all operations: errors are 2.4% (57 of 2375), over the budget of 1%",
      remedy: """
        The statuses and lost requests of each operation show what the errors are. A status does not count as an \
        error if its step expects it: `expect: { status: [404] }`. Otherwise raise `errors` of the budget.
        """),
    Row(
      .budgetThroughput, .error, "An operation had a lower throughput than its budget requires.",
      example: "listLaws: throughput is 148/s, below the budget of 200/s",
      remedy: """
        Check first that the load is high enough: an open load of 150/s cannot give 200 responses/s. Then look for \
        saturation: processors, connections to the database, or users of a closed load who wait for slow responses.
        """),
    Row(
      .budgetRegression, .error, "An operation was slower, or failed more often, than in the runs of the baseline.",
      example: """
        listLaws: latency is worse than in the baseline's 10 runs: +18% (+12% .. +24%) against the baseline; a change \
        of 9% or more was detectable
        """,
      remedy: """
        Check what changed since the baseline: `murphy compare` of both versions, live and interleaved, distinguishes \
        a slower version from a slower machine. If the change is accepted, record a new baseline with runs of this \
        version.
        """),
    Row(
      .budgetLoadDrift, .note, "An operation is slower, or fails more often, at higher load.",
      example: "listLaws: latency grows with the load: 24 ms up to 180 requests/s, 61 ms above",
      remedy: """
        Find what saturates above that load: worker threads, database connections, a lock, the processor. `murphy \
        capacity` finds the highest load at which all checks pass. The note does not fail the run.
        """),
    Row(
      .budgetTimeDrift, .note, "An operation is slower, or fails more often, in a later part of the run.",
      example: "listLaws: latency grew during the run: 22 ms before 24 s (14:02:10 UTC), 48 ms since",
      remedy: """
        Check the API's own log and metrics at that time: a job, a deployment, a cache that was emptied, a table or \
        heap that grows. A longer run distinguishes a single change from a leak. The note does not fail the run.
        """),
    Row(
      .trafficCompleted, .error, "Too few sessions completed their steps.",
      example: "session completion 22.08% (68 of 308), required ≥ 99%",
      remedy: """
        The finding's lines count why sessions ended early: a lost request, an unexpected status, a `save:` that \
        matched nothing. Fix the API or the step. `on:` declares expected outcomes, `completed:` the required share.
        """),
    Row(
      .trafficCalled, .error, "An operation that the scenario names was never called.",
      example: """
        Every operation that the scenario names must be called and succeed: 1 of 6 operations were never called: \
        submitLaw. No session reached that step, or its branch was never taken
        """,
      remedy: """
        Check why its step was never reached: a session that ends before it, a condition that was never true, a share \
        too small for the run's length. `called: [listLaws, …]` under `expect:` names the operations that must be \
        called.
        """),
    Row(
      .trafficSessions, .error, "No session of one type completed its steps.",
      example: """
        Every kind of session must complete at least once: none completed of: vote (130 began, 122 ended early)
        """,
      remedy: """
        Run `murphy try FILE --session vote`: it prints each request of one user and why the session ended. If the \
        session need not complete, name the others under `expect: { sessions: […] }`.
        """),
    Row(
      .trafficConnections, .error, "Too few requests could reuse an open connection.",
      example: """
        At least 90% of the requests must find a connection open: 211 of 1204 requests (17.52%) found the connection \
        of an earlier response open
        """,
      remedy: """
        Raise the server's and the proxy's keep-alive time above the pauses of users, and do not send `Connection: \
        close`. Check the number of requests after which a connection is closed. Otherwise lower `connections: reused \
        >= 90%`.
        """),
    Row(
      .coverageBelow, .error, "The run covered less of the contract than the scenario requires.",
      example: "contract coverage is 61.2%, below the required 80%",
      remedy: """
        The report lists the contract elements that were not covered. Let sessions exercise them with invalid \
        requests or with other resources, narrow the check with `only:`, or lower `at-least` under `coverage:`.
        """),
    Row(
      .coverageLost, .error, "The run did not cover a part of the contract that earlier runs covered.",
      example: "getLaw: status 404 was seen in earlier runs and not in this one",
      remedy: """
        Find out whether the API no longer sends this part, or the sessions no longer request it. If that is \
        intended, remove the line from the `baseline` file and run with `--update-baseline`.
        """),
    Row(
      .generatorFindings, .warning, "The run had more different findings than murphy stores.",
      example: "114 more findings were reported after 500 different ones and were only counted",
      remedy: """
        Fix the defects of the first findings and run again: this usually removes the rest. Frequent reasons for \
        messages that differ with each response: changing field names in a body, or a server that fails in a new way \
        each time.
        """),
    Row(
      .generatorTeardown, .warning, "The teardown failed, so test data of the run may not have been cleaned up.",
      example: "the teardown failed: removeLaw: status 403; test data may not have been cleaned up",
      remedy: """
        Fix the step of `teardown:` that failed, and remove by hand what the run has created. The verdict depends on \
        the load alone and does not change.
        """),
  ]
}
