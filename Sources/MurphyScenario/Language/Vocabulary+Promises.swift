import MurphyModel

extension Vocabulary {
  static let expect = Vocabulary(
    name: "expect", title: "expect", summary: "The checks of the run, in addition to the checks against the contract.",
    Key(
      "budgets",
      "The budgets for latency, errors and throughput. Each key of `budgets` is an operationId, or \"*\" for all "
        + "operations together.",
      .names(.vocabulary("budget"), "An operationId, or \"*\" for all operations.")),
    Key(
      "errors",
      "The maximum percentage of failed requests over all operations; 1% by default. The default of 1% does not apply "
        + "if `budgets` contains an errors budget for \"*\".",
      .either([.share, .choice(["off"])])),
    Key(
      "completed", "The minimum percentage of sessions that must complete; 99% by default.",
      .either([.share, .choice(["off"])])),
    Key(
      "connections",
      "The minimum percentage of requests that must reuse an open connection, such as reused >= 90%; "
        + "none by default.",
      .either([.share, .text])),
    Key(
      "called",
      "The operations that the run must call at least once; all by default. The value `all` means all operations in "
        + "the steps of the sessions.",
      .either([.choice(["all", "off"]), .list(.text)])),
    Key(
      "sessions", "The sessions that must complete at least once; all by default.",
      .either([.choice(["all", "off"]), .list(.text)])),
    Key(
      "limits",
      "The rate limits that the run checks. Each key of `limits` is an operationId, \"*\" for the whole API, or any "
        + "other name. With any other name, the limit needs the key `operations`.",
      .names(.vocabulary("limit"), "An operationId, another name, or \"*\" for the whole API.")),
    Key(
      "coverage",
      "The minimum percentage of the contract that the run must cover.", .either([.share, .vocabulary("coverage")])),
    Key(
      "strict", "Contents of responses that the contract allows, but the scenario forbids.",
      .either([.choice(of: Strictness.Rule.self), .list(.choice(of: Strictness.Rule.self)), .vocabulary("strict")])),
    Key("fail-on-unchecked", "If true, the run fails if murphy cannot check a response.", .boolean),
    Key(
      "state", "The state invariants: rules about the data of the API that must be true over all sessions.",
      .list(.vocabulary("invariant"))),
    Key(
      "relations",
      "Settings of the checks that compare responses with requests and with each other. Each key of `relations` is an "
        + "operationId, or \"*\" for all operations. The value `off` disables all checks of relations.",
      .either([
        .choice(["off"]),
        .names(
          .either([.choice(["off"]), .vocabulary("relation")]), "An operationId, or \"*\" for all operations."),
      ])),
    Key(
      "recovery",
      "The maximum time after an outage or a spike of the load until the goodput returns to its former level and stays "
        + "there.",
      .duration),
    Key(
      "strength",
      "The minimum sensitivity of checks. A passed check with a lower sensitivity than this minimum gets the result NO "
        + "DATA.",
      .vocabulary("strength")))

  /// The keys of a budget of times, with the metrics that they limit.
  static let timeMetrics: [(key: String, latency: Budget.Metric, service: Budget.Metric)] =
    [50, 75, 80, 90, 95, 98, 99, 99.5, 99.9, 99.99].map {
      ("p\(Quantity.numberText($0))", .latency(percentile: $0), .service(percentile: $0))
    } + [("mean", .meanLatency, .meanService), ("max", .maxLatency, .maxService)]

  private static func timeKeys(_ what: String) -> [Key] {
    timeMetrics.map { metric in
      let statistic = metric.key == "max" ? "maximum" : metric.key
      return Key(metric.key, "The upper limit of the \(statistic) \(what).", .duration)
    }
  }

  /// The limits that one operation may have.
  private static let budgetKeys =
    timeKeys("latency, measured from the scheduled start of a request") + [
      Key(
        "errors",
        "The maximum percentage of failed requests. A request fails if it gets no response, or a status of 400 or "
          + "above. Rejections by a rate limit and statuses in `expect` do not count as failures.",
        .share),
      Key("throughput", "The minimum number of responses per second.", .rate),
      Key(
        "service", "Budgets for the service time, which starts when murphy actually sends a request.",
        .vocabulary("service")),
    ]

  static let budget = Vocabulary(
    name: "budget", title: "a budget",
    summary: "The budgets of one operation, or of all operations together (under \"*\").",
    keys: budgetKeys + [
      Key(
        "each",
        "Budgets that each called operation must meet separately. The key `each` is allowed only under \"*\". If an "
          + "operation has its own budget for a metric, its own budget replaces the budget in `each`.",
        .vocabulary("each"))
    ])

  static let each = Vocabulary(
    name: "each", title: "each",
    summary: "Budgets that apply to each called operation separately.",
    keys: budgetKeys)

  static let service = Vocabulary(
    name: "service", title: "a service budget",
    summary: "Budgets for the service time, which starts when murphy actually sends a request.",
    keys: timeKeys("service time, measured from the actual send of a request"))

  static let limit = Vocabulary(
    name: "limit", title: "a rate limit", summary: "A rate limit to check.",
    Key("allow", "The number of requests that the rate limiter admits in one time window.", .whole(atLeast: 1)),
    Key("per", "The length of the rate limiter's time window, such as 60s.", .duration),
    Key(
      "algorithm",
      "The algorithm with which the rate limiter counts requests; any by default.", .choice(of: LimitAlgorithm.self)),
    Key("rate", "The rate at which a token bucket gets new tokens, such as 10/s.", .rate),
    Key("burst", "The maximum number of tokens in a token bucket.", .whole(atLeast: 1)),
    Key(
      "concurrent",
      "The number of requests that the rate limiter admits at the same time. A limit with `concurrent` has no time "
        + "window.",
      .whole(atLeast: 1)),
    Key(
      "key",
      "The value by which the rate limiter distinguishes clients: `ip`, `token`, a header's name, or a list of these. "
        + "With `global`, one counter counts the requests of all clients.", .texts,
      isRequired: true),
    Key("operations", "The operations whose requests the rate limiter counts together.", .list(.text)),
    Key(
      "cost",
      "How much of the quota a request uses: a whole number, or an expression such as ${count(body)}. The expression "
        + "can read body, query, path and header of the request. The expression can also read answer or $.field of the "
        + "response. Without `cost`, each request costs 1.",
      .either([.whole(atLeast: 1), .text])),
    Key(
      "also",
      "If true, murphy also checks the limits in the contract for these operations. If false, this limit replaces the "
        + "limits in the contract.",
      .boolean),
    Key("count", "Whether failed and rejected requests use quota.", .vocabulary("count")),
    Key(
      "refusals", "The responses that murphy recognises as rejections by the rate limiter: 429 by default.",
      .list(.either([.whole(atLeast: 100), .vocabulary("refusal")]))),
    Key(
      "tick",
      "The resolution of the rate limiter's clock, such as 1s. If you do not know the resolution, omit `tick`.",
      .duration),
    Key(
      "aligned",
      "With `epoch`, each time window begins at a multiple of the window length, counted from 1970-01-01 00:00 UTC.",
      .choice(["epoch"])
    ),
    Key(
      "tested",
      "The aspects of the limit that the run must test. Without `tested`, the run must test the aspects `allowance` "
        + "and `window`.",
      .list(.choice(of: LimitAspect.self))),
    Key("refusal-budget", "The maximum response time of a rejection.", .duration),
    Key("longest-wait", "The maximum waiting time in the Retry-After header of a rejection.", .duration),
    alternatives: [["allow", "rate", "concurrent"]])

  static let count = Vocabulary(
    name: "count", title: "count",
    summary: "Whether failed and rejected requests use quota. Successful requests always use quota.",
    Key(
      "failed",
      "Whether a request uses quota if the rate limiter admits it and the API then responds with a 4xx or 5xx status; "
        + "perhaps by default. With `perhaps`, the rate limiter may count such a request or not.",
      .choice(["yes", "no", "perhaps"])),
    Key(
      "refused",
      "Whether a request uses quota if the rate limiter rejects it; no by default.", .choice(["yes", "no", "perhaps"])))

  static let refusal = Vocabulary(
    name: "refusal", title: "an entry of refusals",
    summary: "A status and a header that together identify a rejection by the rate limiter.",
    Key("status", "The status that the response must have.", .whole(atLeast: 100), isRequired: true),
    Key("header", "The name of a header that the response must have.", .text),
    Key("value", "The value that the header must have.", .text))

  static let coverage = Vocabulary(
    name: "coverage", title: "coverage", summary: "The minimum percentage of the contract that the run must cover.",
    Key("at-least", "The minimum percentage of contract elements that the run must cover.", .share),
    Key(
      "baseline",
      "The path of a file that lists the contract elements that earlier runs covered. The run must cover all these "
        + "elements.", .text),
    Key(
      "only", "The types of contract elements that murphy counts for the coverage.",
      .list(.choice(CoverageExpectation.knownKinds))))

  static let strict = Vocabulary(
    name: "strict", title: "strict",
    summary: "Contents of responses that the contract allows, but the scenario forbids.",
    keys: Strictness.Rule.allCases.map {
      Key($0.rawValue, "If true, murphy reports each field of a response body that no schema documents.", .boolean)
    } + [
      Key(
        "allow", "JSON Pointers of fields that may be undocumented. In a JSON Pointer, * matches any token.",
        .list(.text))
    ])

  static let strength = Vocabulary(
    name: "strength", title: "strength",
    summary: "The minimum sensitivity of checks. A passed check with a lower sensitivity than this minimum gets the "
      + "result NO DATA.",
    Key(
      "contract",
      "The smallest percentage of faulty responses of an operation that contract checks must detect with 95 % "
        + "confidence.",
      .share),
    Key(
      "contract-entities",
      "The smallest percentage of faulty resources of an operation that contract checks must detect with 95 % "
        + "confidence. Each different path is one resource.",
      .share),
    Key("errors", "The error rate that each error budget must rule out with 95 % confidence.", .share),
    Key(
      "latency",
      "The smallest slowdown of the API, in percent, that percentile budgets must detect with 95 % confidence.", .share
    ),
    Key(
      "stall",
      "The shortest pause of the API that percentile budgets must detect with 95 % confidence.", .duration),
    Key(
      "limits",
      "Aspects of a rate limit, such as `allowance` or `window`. A limit check passes only if it would detect a fault "
        + "of the rate limiter in each listed aspect.",
      .list(.choice(of: LimitStrength.Aspect.self))))

  static let relation = Vocabulary(
    name: "relation", title: "the relations of an operation",
    summary:
      "Which relations between requests and responses murphy checks for an operation. If the value of a relation is "
      + "`on`, murphy checks the relation. If the value is `off`, murphy does not check the relation.",
    keys: RelationRule.allCases.map { rule in
      Key(rule.rawValue, "Murphy checks this rule: \(rule.promise).", relationShape(rule))
    } + [
      Key(
        "filters",
        "Which query parameters filter a list. With `on`, murphy checks that each item of the list has the requested "
          + "value.",
        .names(.choice(["on", "off"]), "The name of a query parameter.")),
      Key(
        "sort",
        "The order that each value of the sort parameter requests: a field, or a sum of fields such as upvotes - "
          + "downvotes. If the value is `off`, murphy does not check the order of the list.",
        .names(.either([.choice(["on", "off"]), .text]), "A value of the sort parameter.")),
      Key(
        "sorted-by",
        "The order of a list if the request does not specify an order: a field, or a sum of fields. A - before the "
          + "field means descending order.",
        .text),
      Key("stale", "The maximum age of the data that a response may contain; 0s by default.", .duration),
      Key(
        "exclusive",
        "If true, only this run changes the data of the API. If `exclusive` is missing, murphy assumes true only for "
          + "an API that murphy itself started.",
        .boolean),
      Key(
        "walk", "With `on`, murphy reads all pages of the collection after the load; on by default.",
        .choice(["on", "off"])),
    ])

  private static func relationShape(_ rule: RelationRule) -> Shape {
    switch rule {
    case .total: .choice(["on", "off", "all"])
    case .search: .choice(["on", "off", "narrows"])
    case .listItem: .either([.choice(["on", "off"]), .vocabulary("list-vs-item")])
    default: .choice(["on", "off"])
    }
  }

  static let listItem = Vocabulary(
    name: "list-vs-item", title: "list-vs-item",
    summary: "Allowed differences between an item in a list and the response for the item alone.",
    keys: [
      Key(
        "ignore", "The fields whose values may differ between the list and the response for the item alone.",
        .list(.text))
    ])
}
