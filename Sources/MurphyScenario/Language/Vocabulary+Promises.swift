import MurphyModel

extension Vocabulary {
  static let load = Vocabulary(
    name: "load", title: "a load", summary: "Stages with what holds for all of them.",
    Key("stages", "The stages, one after the other.", .list(.vocabulary("stage")), isRequired: true),
    Key("arrivals", "even by default; poisson draws the gaps.", .choice(of: ArrivalPattern.self)),
    Key("iterations", "Closed model: sessions of one user, at most.", .whole(atLeast: 1)),
    Key("pause", "Closed model: between two sessions of a user.", .drawnDuration))

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
    name: "expect", title: "expect", summary: "The promises that the run is judged by, besides the contract.",
    Key(
      "budgets", "By operationId; \"*\" for all operations together.",
      .names(.vocabulary("budget"), "An operationId, or \"*\".")),
    Key(
      "errors", "Share of failed requests over all operations, at most; 1% by default, unless \"*\" has a budget.",
      .either([.share, .choice(["off"])])),
    Key(
      "completed", "Share of sessions that end as scripted, at least; 99% by default.",
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
      "limits", "Rate limits, by operationId or by a name of their own; \"*\" for the whole API.",
      .names(.vocabulary("limit"), "An operationId, a name, or \"*\".")),
    Key("coverage", "How much of the contract the run must see.", .either([.share, .vocabulary("coverage")])),
    Key(
      "strict", "What the contract does not forbid, but this scenario does.",
      .either([.choice(of: Strictness.Rule.self), .list(.choice(of: Strictness.Rule.self)), .vocabulary("strict")])),
    Key("fail-on-unchecked", "A response that could not be checked fails the run.", .boolean),
    Key("state", "Invariants over sessions.", .list(.vocabulary("invariant"))),
    Key(
      "relations", "What of the relations between responses is promised, tuned or off; by operationId, \"*\" for all.",
      .either([
        .choice(["off"]), .names(.either([.choice(["off"]), .vocabulary("relation")]), "An operationId, or \"*\"."),
      ])),
    Key("strength", "How much a promise must have been tested before it counts as kept.", .vocabulary("strength")))

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
        "Share of failed requests, at most: unanswered ones and statuses from 400 on, except rejections by a rate limit and what `expect` asks for.",
        .share),
      Key("throughput", "Responses per second, at least.", .rate),
      Key("service", "Of the service time, from the actual send.", .vocabulary("service")),
    ]

  static let budget = Vocabulary(
    name: "budget", title: "a budget", summary: "What an operation must keep.",
    keys: budgetKeys + [
      Key(
        "each", "Under \"*\": what every called operation must keep by itself, unless it has a budget of that metric.",
        .vocabulary("each"))
    ])

  static let each = Vocabulary(
    name: "each", title: "a budget of each operation", summary: "What every called operation must keep by itself.",
    keys: budgetKeys)

  static let service = Vocabulary(
    name: "service", title: "a service budget", summary: "Of the service time, from the actual send.",
    keys: timeKeys("service times"))

  static let limit = Vocabulary(
    name: "limit", title: "a limit", summary: "A rate limit as it is promised.",
    Key("allow", "Requests that one window admits.", .whole(atLeast: 1)),
    Key("per", "The window's length.", .duration),
    Key("algorithm", "How the limiter counts; any by default.", .choice(of: LimitAlgorithm.self)),
    Key("rate", "Token bucket: how fast tokens return.", .rate),
    Key("burst", "Token bucket: how many tokens it holds.", .whole(atLeast: 1)),
    Key("key", "Whom it counts: ip, token, global, a header's name, or a list of them.", .texts, isRequired: true),
    Key("operations", "The operations that share the counter.", .list(.text)),
    Key(
      "also", "true: the contract's limits of the same operations hold as well; by default it replaces them.",
      .boolean),
    Key("count", "Which outcomes take from the allowance.", .vocabulary("count")),
    Key(
      "refusals", "How a refusal is told: 429 by default.",
      .list(.either([.whole(atLeast: 100), .vocabulary("refusal")]))),
    Key("tick", "The coarsest step of the limiter's clock, where it is known.", .duration),
    Key("aligned", "epoch: windows begin at whole multiples of their length since 1970.", .choice(["epoch"])),
    Key(
      "tested",
      "What the run must have tested of it, by default allowance and window; the rest is shown as not tested.",
      .list(.choice(of: LimitAspect.self))),
    Key("refusal-budget", "The slowest that a refusal may be.", .duration),
    Key("longest-wait", "The longest wait that a refusal may ask for.", .duration), alternatives: [["allow", "rate"]])

  static let count = Vocabulary(
    name: "count", title: "count", summary: "Which outcomes, besides successes, take from the allowance.",
    Key("failed", "Requests that were let through and failed; perhaps by default.", .choice(["yes", "no", "perhaps"])),
    Key("refused", "Requests that the limiter refused; no by default.", .choice(["yes", "no", "perhaps"])))

  static let refusal = Vocabulary(
    name: "refusal", title: "a refusal", summary: "A status with a header that makes it a refusal.",
    Key("status", "The status.", .whole(atLeast: 100), isRequired: true),
    Key("header", "The header that must be there.", .text),
    Key("value", "The header's value.", .text))

  static let coverage = Vocabulary(
    name: "coverage", title: "coverage", summary: "How much of the contract the run must see.",
    Key("at-least", "The share that must be seen.", .share),
    Key("baseline", "A file of what was seen before: nothing of it may be missing now.", .text),
    Key("only", "The kinds of things that count.", .list(.choice(CoverageExpectation.knownKinds))))

  static let strict = Vocabulary(
    name: "strict", title: "strict", summary: "What the contract does not forbid, but this scenario does.",
    keys: Strictness.Rule.allCases.map {
      Key($0.rawValue, "Whether this is a finding.", .boolean)
    } + [
      Key("allow", "JSON Pointers of fields that may be undocumented; * stands for any one token.", .list(.text))
    ])

  static let strength = Vocabulary(
    name: "strength", title: "strength",
    summary: "How much a promise must have been tested before it counts as kept; with less it has no data.",
    Key("contract", "A fault in this share of an operation's responses would have been seen with 95 %.", .share),
    Key(
      "contract-entities", "A fault in this share of the things that its paths name would have been seen with 95 %.",
      .share),
    Key("errors", "A larger share of errors is excluded with 95 %, of every budget on errors.", .share),
    Key("latency", "A slowdown by this share would have broken every percentile with 95 %.", .share),
    Key("stall", "A freeze for so long would have broken every percentile with 95 %.", .duration),
    Key(
      "limits", "Wrong limiters that the traffic must have told from every limit that is kept.",
      .list(.choice(of: LimitStrength.Aspect.self))))

  static let relation = Vocabulary(
    name: "relation", title: "the relations of an operation",
    summary: "What holds between the requests and responses of an operation: on is a promise, off is not looked for.",
    keys: RelationRule.allCases.map { rule in
      Key(rule.rawValue, "\(rule.promise.capitalizedFirst).", relationShape(rule))
    } + [
      Key(
        "filters", "Single filters by their parameter: whether each row has the value asked for.",
        .names(.choice(["on", "off"]), "A query parameter.")),
      Key(
        "sort", "What values of the sort parameter sort by: a sum such as upvotes - downvotes, or off.",
        .names(.either([.choice(["on", "off"]), .text]), "A value of the sort parameter.")),
      Key(
        "sorted-by", "The field, or sum, that a list is sorted by where nothing is asked; - in front: downwards.", .text
      ),
      Key("stale", "How far behind the truth a response may be; 0s by default.", .duration),
      Key("exclusive", "Whether nobody but this run writes; true by default for an embedded target.", .boolean),
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
    name: "list-vs-item", title: "list-vs-item", summary: "How an item may read otherwise in a list than by itself.",
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
