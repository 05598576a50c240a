/// Kinds of findings about budgets, traffic, coverage and murphy itself.
extension FindingRule {
  static let promisesRows: [Row] = [
    Row(
      .budgetLatency, .error, "The latency of an operation exceeds its budget.",
      example: "listLaws: p95 is 412 ms, over the budget of 300 ms",
      remedy: """
        Look at the operation's chart: are all requests slow or only some, and since when? Make the operation faster, \
        or change its budget under `expect: budgets:`. Latency starts at the scheduled start of a request, so it \
        includes the time in a queue.
        """),
    Row(
      .budgetErrors, .error, "The error rate of an operation exceeds its budget.",
      example: "all operations: errors are 2.4% (57 of 2,375), over the budget of 1%",
      remedy: """
        Check the statuses and the lost requests of each operation. If a step expects an error status, declare the \
        status in the step, for example `expect: { status: [404] }`. Otherwise fix the API, or raise `errors:` of the \
        budget.
        """),
    Row(
      .budgetThroughput, .error, "The throughput of an operation is lower than the budget requires.",
      example: "listLaws: throughput is 148/s, below the budget of 200/s",
      remedy: """
        Check that the load is high enough: 150 sessions per second with one call each give at most 150 responses/s. \
        Then look for saturated processors or database connections. In a closed load, slow responses also reduce the \
        throughput.
        """),
    Row(
      .budgetRegression, .error, "An operation was slower, or failed more often, than in the baseline runs.",
      example: """
        listLaws: latency is worse than in the baseline's 10 runs: +18% (+12% .. +24%) compared with the baseline; a \
        change of 9% or more was detectable
        """,
      remedy: """
        Check what changed since the baseline runs. Run `murphy compare` with both versions of the API: it \
        distinguishes a slower version from a slower machine. If you accept the change, record a new baseline with \
        runs of the new version.
        """),
    Row(
      .budgetLoadDrift, .note, "An operation is slower, or fails more often, at higher load.",
      example: "listLaws: latency grows with the load: 24 ms up to 180 requests/s, 61 ms above",
      remedy: """
        Find what is saturated above that load: worker threads, database connections, a lock or the processors. To \
        find the highest load at which all checks pass, run `murphy capacity`. This note does not fail the run.
        """),
    Row(
      .budgetTimeDrift, .note, "An operation is slower, or fails more often, in the later part of the run.",
      example: "listLaws: latency grew during the run: 22 ms before 24 s (14:02:10 UTC), 48 ms afterwards",
      remedy: """
        Check the API's log and metrics at that time. Look for a job, a deployment, an emptied cache, or a growing \
        table or heap. To distinguish a single change from a leak, send the load for longer. This note does not fail \
        the run.
        """),
    Row(
      .trafficCompleted, .error, "Too few sessions completed all their steps.",
      example: "session completion 22.08% (68 of 308), required ≥ 99%",
      remedy: """
        The details of the finding show why sessions ended early. Fix the API or the step. Declare expected outcomes \
        with `on:` in the step. Set the required percentage of completed sessions with `completed:` under `expect:`.
        """),
    Row(
      .trafficCalled, .error, "The run never called an operation that the scenario names.",
      example: """
        Every operation that the scenario names must be called and succeed: 1 of 6 operations were never called: \
        submitLaw. No session reached that step, or its branch was never taken
        """,
      remedy: """
        Check why no session reached the step. The session may end earlier, a condition may never be true, or the \
        session's `share:` may be too small. To require only certain operations, write `called: [listLaws, …]` under \
        `expect:`.
        """),
    Row(
      .trafficSessions, .error, "No session of one session type completed all its steps.",
      example: """
        Every session type must complete at least once: session types that never completed: vote (130 began, 122 ended early)
        """,
      remedy: """
        Run `murphy try FILE --session NAME`: it prints each request of one user, and why the session ended. If \
        sessions of this type do not have to complete, list only the other session types in `sessions: […]` under \
        `expect:`.
        """),
    Row(
      .trafficConnections, .error, "Too few requests reused an open connection.",
      example: """
        At least 90% of the requests must reuse an open connection: 211 of 1,204 requests (17.52%) reused the \
        connection of an earlier request
        """,
      remedy: """
        Set the keep-alive time of the server and of the proxy longer than the pauses of users. Do not send \
        `Connection: close`. Check after how many requests the server closes a connection. Otherwise lower the \
        percentage in `connections: reused >= 90%`.
        """),
    Row(
      .trafficRecovery, .error, "The API did not recover from an outage or a spike of the load in time.",
      example: """
        Goodput must return within 10s of the outage at 20s: goodput was 19.9/s before the outage and 2.1/s from 35 s \
        to 60 s, 10.6% of the former level; not back at the end. 58.2/s of 78.1/s requests were retries, 3.9 requests \
        for each call
        """,
      remedy: """
        Reject or drop requests whose clients no longer wait, before the API works on them. Limit the length of \
        queues. Let clients retry less often, with growing waits and jitter, or with a retry budget. See \
        docs/recovery.md.
        """),
    Row(
      .trafficRetryPeak, .warning, "Retry-After sends many clients back in the same second.",
      example: """
        `Retry-After` sends 412 clients back in the same second, at 31 s; the usual load is 50/s requests
        """,
      remedy: """
        Add a random part to each Retry-After value, for example up to half of the wait. Equal values let all rejected \
        clients return at once, and overload the API again.
        """),
    Row(
      .coverageBelow, .error, "The run covered less of the contract than the scenario requires.",
      example: "contract coverage is 61.2%, below the required 80%",
      remedy: """
        The report shows which contract elements the run did not cover. Add sessions that cover these elements, for \
        example with invalid requests or other resources. Otherwise restrict the check with `only:`, or lower \
        `at-least:` under `coverage:`.
        """),
    Row(
      .coverageLost, .error, "The run did not cover a part of the contract that earlier runs covered.",
      example: "getLaw: status 404 was covered by earlier runs, but not by this run",
      remedy: """
        Check whether the API no longer sends this part of the contract, or whether no session requests it any longer. \
        If the change is intended, remove its line from the baseline file (`baseline:`). Then run with \
        `--update-baseline`.
        """),
    Row(
      .generatorFindings, .warning, "The run had more different findings than murphy can store.",
      example: "murphy stored 500 different findings, and only counted 114 others",
      remedy: """
        Fix the causes of the first findings, and run again. If each message differs, look for field names that change \
        in every body. Look also for a server that fails in a new way each time.
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
