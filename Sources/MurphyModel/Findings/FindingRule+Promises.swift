/// Kinds of findings about budgets, traffic, coverage and murphy itself.
extension FindingRule {
  static let promisesRows: [Row] = [
    Row(
      .budgetLatency, .error, "The latency of an operation exceeds its budget.",
      example: "listLaws: p95 is 412 ms, over the budget of 300 ms",
      remedy: """
        In the operation's chart, check whether all requests or only some are slow, and since when. Make the operation \
        faster, or change its budget under `expect: budgets:`. Latency is measured from the scheduled start of a \
        request, so it includes the time in a queue.
        """),
    Row(
      .budgetErrors, .error, "The error rate of an operation exceeds its budget.",
      example: "all operations: errors are 2.4% (57 of 2,375), over the budget of 1%",
      remedy: """
        Check the error statuses and the lost requests of each operation. If a step expects an error status, declare \
        the status in the step, for example `expect: { status: [404] }`. If no error is expected, fix the API. To \
        allow more errors, raise `errors:` of the budget.
        """),
    Row(
      .budgetThroughput, .error, "The throughput of an operation is lower than the budget requires.",
      example: "listLaws: throughput is 148/s, below the budget of 200/s",
      remedy: """
        Check that the load is high enough: 150 sessions per second with one call each give at most 150 responses/s. \
        If the load is high enough, look for saturated processors or database connections. With a fixed number of \
        users, slow responses also reduce the throughput.
        """),
    Row(
      .budgetRegression, .error,
      "An operation was slower, or failed more often, than in the earlier runs of the baseline.",
      example: """
        listLaws: p95 is worse than in the baseline's 10 runs: +18% (+12% .. +24%) compared with the baseline; a \
        change of +9% or more was detectable
        """,
      remedy: """
        Check what changed in the API since the baseline runs. To distinguish a slower version of the API from a \
        slower machine, run `murphy compare` with both versions. If you accept the slowdown, remove the folder of the \
        baseline: the next runs then make a new baseline.
        """),
    Row(
      .budgetLoadDrift, .note, "An operation is slower, or fails more often, above a certain load.",
      example: "listLaws: latency grows with the load: 24 ms up to 180 requests/s, 61 ms above that load",
      remedy: """
        Find out what is saturated at higher load: worker threads, database connections, a lock or the processors. To \
        find the highest load at which all checks pass, run `murphy capacity`. Because this finding is a note, it does \
        not fail the run.
        """),
    Row(
      .budgetTimeDrift, .note, "An operation is slower, or fails more often, after a certain time of the run.",
      example: "listLaws: latency grew during the run: 22 ms before 24 s (14:02:10 UTC), 48 ms afterwards",
      remedy: """
        Check the API's log and metrics at the time of the change. Look for a job, a deployment, an emptied cache, or \
        a growing table or heap. To distinguish a single change from a leak, send the load for longer. Because this \
        finding is a note, it does not fail the run.
        """),
    Row(
      .trafficCompleted, .error, "Fewer sessions than required completed all their steps.",
      example: "session completion 22.08% (68 of 308), required ≥ 99%",
      remedy: """
        The details of the finding show why sessions ended early. Fix the API or the failed step. If a step expects a \
        certain status, handle the status with `on:` in the step. Set the required percentage of completed sessions \
        with `completed:` under `expect:`.
        """),
    Row(
      .trafficCalled, .error, "The run never called an operation that the scenario names.",
      example: """
        Every operation that the scenario names must be called and succeed: 1 of 6 operations was never called: \
        submitLaw. No session reached a step with such a call, or the branch of the step was never taken
        """,
      remedy: """
        Check whether all sessions end before the step, whether a condition is never true, or whether the session's \
        `share:` is too small. To require only certain operations, write `called: [listLaws, …]` under `expect:`.
        """),
    Row(
      .trafficSessions, .error, "No session of a session type completed all its steps.",
      example: """
        Every session type must complete at least once: session types that never completed: vote (130 began, 122 ended early)
        """,
      remedy: """
        Run `murphy try FILE --session NAME` to see each request of one user, and the reason why the session ended. If \
        some session types do not have to complete, list only the other session types in `sessions: […]` under \
        `expect:`.
        """),
    Row(
      .trafficConnections, .error, "Fewer requests than required reused an open connection.",
      example: """
        At least 90% of the requests must reuse an open connection: 211 of 1,204 requests (17.52%) reused the \
        connection of an earlier request
        """,
      remedy: """
        Set the keep-alive time of the server and the proxy longer than the pauses of users. Do not send `Connection: \
        close`. Check after how many requests the server closes a connection. To accept fewer reused connections, \
        lower the percentage in `connections: reused >= 90%`.
        """),
    Row(
      .trafficRecovery, .error, "The API did not recover in time after an outage or a spike of the load.",
      example: """
        Goodput must return within 10s of the outage at 20s: goodput was 19.9/s before the outage and 2.1/s from 35 s \
        to 60 s, 10.6% of the former level; not recovered at the end. 58.2/s of 78.1/s requests were retries, 3.9 \
        requests for each call
        """,
      remedy: """
        If a client no longer waits for a response, drop its request before the API works on it. Limit the length of \
        queues in the API. Let clients retry less often, with growing waits and jitter, or with a retry budget. \
        docs/recovery.md explains the check.
        """),
    Row(
      .trafficRetryPeak, .warning, "Many rejections tell their clients to retry in the same second (Retry-After).",
      example: """
        `Retry-After` sends 412 clients back in the same second, at 31 s; the usual load is 50/s requests
        """,
      remedy: """
        Add a random part to each Retry-After value, for example up to half of the wait. With equal Retry-After \
        values, all rejected clients return at once and overload the API again.
        """),
    Row(
      .coverageBelow, .error, "The run covered less of the contract than the scenario requires.",
      example: "contract coverage is 61.2%, below the required 80%",
      remedy: """
        The report shows which contract elements the run did not cover. Add sessions that cover these elements, \
        for example with invalid requests or other resources. To require less coverage, restrict the check with \
        `only:`, or lower `at-least:` under `coverage:`.
        """),
    Row(
      .coverageLost, .error, "The run did not cover an element of the contract that earlier runs covered.",
      example: "getLaw: status 404 was covered by earlier runs, but not by this run",
      remedy: """
        Check whether the API no longer sends the element, or whether no session requests the element any longer. If \
        the loss is intended, remove the element's line from the baseline file (`baseline:`), and run with \
        `--update-baseline`.
        """),
    Row(
      .generatorFindings, .warning, "The run had more different findings than murphy can store.",
      example: "murphy stored 500 different findings, and only counted 114 others",
      remedy: """
        Fix the causes of the stored findings, and run again. If each finding has a different message, check whether \
        field names change in every response body. Also check whether the server fails in a new way each time.
        """),
    Row(
      .generatorTeardown, .warning, "The teardown failed, so the API may still contain test data of the run.",
      example: "the teardown failed: removeLaw: status 403; test data may not have been cleaned up",
      remedy: """
        Fix the failed step of `teardown:`, and remove the test data of the run by hand. A failed teardown does not \
        change the verdict, because the verdict depends only on the load.
        """),
  ]
}
