import MurphyModel

extension Vocabulary {
  static let load = Vocabulary(
    name: "load", title: "a load", summary: "Stages, and the settings for all of them.",
    Key("stages", "The stages, one after the other.", .list(.vocabulary("stage")), isRequired: true),
    Key("arrivals", "even by default; poisson makes the gaps random.", .choice(of: ArrivalPattern.self)),
    Key("iterations", "Closed model: sessions of one user, at most.", .whole(atLeast: 1)),
    Key("pause", "Closed model: the pause between two sessions of a user.", .drawnDuration))

  static let stage = stage(of: StageShape.all)

  static func stage(of shapes: [StageShape]) -> Vocabulary {
    Vocabulary(
      name: "stage", title: "a stage of the load",
      summary: "Arrivals of sessions (open model), or users (closed model).",
      keys: shapes.flatMap { [$0.key] + $0.details } + [
        Key("users", "Users, each with one session after the other: 50, or 0..50.", .users),
        Key("for", "How long the stage lasts.", .duration),
      ], alternatives: [shapes.map(\.key.name) + ["users"]])
  }

  static let expect = Vocabulary(
    name: "expect", title: "expect", summary: "The checks of the run, in addition to the contract.",
    Key(
      "budgets", "By operationId; \"*\" for all operations together.",
      .names(.vocabulary("budget"), "An operationId, or \"*\".")),
    Key(
      "errors", "Share of failed requests over all operations, at most; 1% by default, unless \"*\" has a budget.",
      .either([.share, .choice(["off"])])),
    Key(
      "completed", "Share of sessions that complete, at least; 99% by default.",
      .either([.share, .choice(["off"])])),
    Key(
      "connections",
      "Share of the requests that must find the connection of an earlier response open: reused >= 90%; none "
        + "by default.", .either([.share, .text])),
    Key(
      "called", "Operations that must be called at least once, of those that steps name; all by default.",
      .either([.choice(["all", "off"]), .list(.text)])),
    Key(
      "sessions", "Sessions of which at least one must complete; all by default.",
      .either([.choice(["all", "off"]), .list(.text)])),
    Key(
      "limits", "Rate limits, by operationId or by any other name; \"*\" for the whole API.",
      .names(.vocabulary("limit"), "An operationId, a name, or \"*\".")),
    Key("coverage", "How much of the contract the run must cover.", .either([.share, .vocabulary("coverage")])),
    Key(
      "strict", "What this scenario forbids in addition to the contract.",
      .either([.choice(of: Strictness.Rule.self), .list(.choice(of: Strictness.Rule.self)), .vocabulary("strict")])),
    Key("fail-on-unchecked", "A response that could not be checked fails the run.", .boolean),
    Key("state", "Invariants over sessions.", .list(.vocabulary("invariant"))),
    Key(
      "relations", "Which relations between responses are checked, tuned or off; by operationId, \"*\" for all.",
      .either([
        .choice(["off"]), .names(.either([.choice(["off"]), .vocabulary("relation")]), "An operationId, or \"*\"."),
      ])),
    Key("strength", "How much a check must have been tested before it counts as passed.", .vocabulary("strength")))

  /// The keys of a budget of times, with the metrics that they limit.
  static let timeMetrics: [(key: String, latency: Budget.Metric, service: Budget.Metric)] =
    [50, 75, 80, 90, 95, 98, 99, 99.5, 99.9, 99.99].map {
      ("p\(Quantity.numberText($0))", .latency(percentile: $0), .service(percentile: $0))
    } + [("mean", .meanLatency, .meanService), ("max", .maxLatency, .maxService)]

  private static func timeKeys(_ what: String) -> [Key] {
    timeMetrics.map { metric in
      let share =
        switch metric.key {
        case "mean": "The mean of \(what) is"
        case "max": "All of \(what) are"
        default: "\(metric.key.dropFirst()) % of \(what) are"
        }
      return Key(metric.key, "\(share) at most this.", .duration)
    }
  }

  /// The limits that one operation may have.
  private static let budgetKeys =
    timeKeys("latencies, from the intended start,") + [
      Key(
        "errors",
        "Share of failed requests, at most: unanswered ones and statuses from 400 on, except rejections by a rate limit and statuses that `expect` names.",
        .share),
      Key("throughput", "Responses per second, at least.", .rate),
      Key("service", "Of the service time, from the actual send.", .vocabulary("service")),
    ]

  static let budget = Vocabulary(
    name: "budget", title: "a budget", summary: "The budgets of an operation.",
    keys: budgetKeys + [
      Key(
        "each", "Under \"*\": the budgets of each called operation alone, unless it has its own for that metric.",
        .vocabulary("each"))
    ])

  static let each = Vocabulary(
    name: "each", title: "a budget of each operation", summary: "The budgets of each called operation alone.",
    keys: budgetKeys)

  static let service = Vocabulary(
    name: "service", title: "a service budget", summary: "Of the service time, from the actual send.",
    keys: timeKeys("service times"))

  static let limit = Vocabulary(
    name: "limit", title: "a limit", summary: "A rate limit to check.",
    Key("allow", "Requests that one window admits.", .whole(atLeast: 1)),
    Key("per", "The window's length.", .duration),
    Key("algorithm", "How the limiter counts; any by default.", .choice(of: LimitAlgorithm.self)),
    Key("rate", "Token bucket: how fast tokens return.", .rate),
    Key("burst", "Token bucket: how many tokens it holds.", .whole(atLeast: 1)),
    Key("key", "What it counts by: ip, token, global, a header's name, or a list of them.", .texts, isRequired: true),
    Key("operations", "The operations that share the counter.", .list(.text)),
    Key(
      "also", "true: the contract's limits of the same operations apply as well; by default it replaces them.",
      .boolean),
    Key("count", "Which outcomes count against the quota.", .vocabulary("count")),
    Key(
      "refusals", "How a rejection is recognised: 429 by default.",
      .list(.either([.whole(atLeast: 100), .vocabulary("refusal")]))),
    Key("tick", "The coarsest step of the limiter's clock, if it is known.", .duration),
    Key("aligned", "epoch: windows begin at whole multiples of their length since 1970.", .choice(["epoch"])),
    Key(
      "tested",
      "Which parts of it the run must have tested, by default allowance and window; the rest is shown as not tested.",
      .list(.choice(of: LimitAspect.self))),
    Key("refusal-budget", "The longest time that a rejection may take.", .duration),
    Key("longest-wait", "The longest wait that a rejection may request.", .duration), alternatives: [["allow", "rate"]])

  static let count = Vocabulary(
    name: "count", title: "count", summary: "Which outcomes, in addition to successes, count against the quota.",
    Key("failed", "Requests that were admitted and failed; perhaps by default.", .choice(["yes", "no", "perhaps"])),
    Key("refused", "Requests that the limiter rejected; no by default.", .choice(["yes", "no", "perhaps"])))

  static let refusal = Vocabulary(
    name: "refusal", title: "a refusal", summary: "A status with a header that makes it a rejection.",
    Key("status", "The status.", .whole(atLeast: 100), isRequired: true),
    Key("header", "The header that must be there.", .text),
    Key("value", "The header's value.", .text))

  static let coverage = Vocabulary(
    name: "coverage", title: "coverage", summary: "How much of the contract the run must cover.",
    Key("at-least", "The share that must be covered.", .share),
    Key("baseline", "A file of what earlier runs covered: this run must cover all of it.", .text),
    Key("only", "The kinds of elements that count.", .list(.choice(CoverageExpectation.knownKinds))))

  static let strict = Vocabulary(
    name: "strict", title: "strict", summary: "What this scenario forbids in addition to the contract.",
    keys: Strictness.Rule.allCases.map {
      Key($0.rawValue, "True if this is a finding.", .boolean)
    } + [
      Key("allow", "JSON Pointers of fields that may be undocumented; * matches any one token.", .list(.text))
    ])

  static let strength = Vocabulary(
    name: "strength", title: "strength",
    summary: "How much a check must have been tested before it counts as passed; with less it has no data.",
    Key(
      "contract", "A fault in this share of an operation's responses would have been detected with 95 % confidence.",
      .share),
    Key(
      "contract-entities",
      "A fault in this share of the resources that its paths name would have been detected with 95 % confidence.",
      .share),
    Key("errors", "For every budget on errors, a larger share of errors is excluded with 95 % confidence.", .share),
    Key(
      "latency", "A slowdown by this share would have broken every budget on a percentile with 95 % confidence.", .share
    ),
    Key(
      "stall", "A freeze for so long would have broken every budget on a percentile with 95 % confidence.", .duration),
    Key(
      "limits", "Faulty limiters that the traffic must have distinguished from every limit that passed.",
      .list(.choice(of: LimitStrength.Aspect.self))))

  static let relation = Vocabulary(
    name: "relation", title: "the relations of an operation",
    summary: "Relations between the requests and responses of an operation: on is a check, off is not checked.",
    keys: RelationRule.allCases.map { rule in
      Key(rule.rawValue, "\(rule.promise.capitalizedFirst).", relationShape(rule))
    } + [
      Key(
        "filters", "Single filters by their parameter: each row must have the requested value.",
        .names(.choice(["on", "off"]), "A query parameter.")),
      Key(
        "sort", "What the values of the sort parameter sort by: a sum such as upvotes - downvotes, or off.",
        .names(.either([.choice(["on", "off"]), .text]), "A value of the sort parameter.")),
      Key(
        "sorted-by",
        "The field, or sum, that a list is sorted by if the request names no order; a leading - means descending.",
        .text
      ),
      Key("stale", "How stale a response may be; 0s by default.", .duration),
      Key("exclusive", "True if only this run writes; true by default for an embedded target.", .boolean),
      Key(
        "walk", "Whether murphy reads the collection page by page after the load; on by default.",
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
    name: "list-vs-item", title: "list-vs-item", summary: "How an item in a list may differ from the item read alone.",
    keys: [Key("ignore", "Fields that may differ.", .list(.text))])

  /// All, in the order of the schema's definitions.
  static let all: [Vocabulary] =
    [
      scenario, include, part, settings, abortAfter, tls, client, network, auth, basic, apiKey, oauth2, feed, session,
      call,
      request, multipartPart, graphQL, save, cache, stream, retry, check, condition, think, loop, poll, offline, burst,
      type,
      branch, choice, way,
      group, namedSteps, set, load, stage, expect, budget, each, service, limit, count, refusal, coverage, strict,
      strength, relation, listItem,
    ] + state
}
