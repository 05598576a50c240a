import MurphyModel

extension Vocabulary {
  static let expect = Vocabulary(
    name: "expect", title: "expect", summary: "The checks of the run, in addition to the contract.",
    Key(
      "budgets",
      "The budgets for latency, errors and throughput, by operationId. The name \"*\" means all "
        + "operations together.",
      .names(.vocabulary("budget"), "An operationId, or \"*\".")),
    Key(
      "errors",
      "The maximum percentage of failed requests over all operations; 1% by default, unless \"*\" has a "
        + "budget.",
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
      "called", "The operations in the scenario's steps that the run must call at least once; all by default.",
      .either([.choice(["all", "off"]), .list(.text)])),
    Key(
      "sessions", "The sessions that must complete at least once; all by default.",
      .either([.choice(["all", "off"]), .list(.text)])),
    Key(
      "limits",
      "The rate limits that the run checks, by operationId or by another name. The name \"*\" means the "
        + "whole API.",
      .names(.vocabulary("limit"), "An operationId, a name, or \"*\".")),
    Key(
      "coverage", "The percentage of the contract that the run must cover.", .either([.share, .vocabulary("coverage")])),
    Key(
      "strict", "Properties of responses that the scenario forbids and the contract allows.",
      .either([.choice(of: Strictness.Rule.self), .list(.choice(of: Strictness.Rule.self)), .vocabulary("strict")])),
    Key("fail-on-unchecked", "If true, a response that murphy cannot check fails the run.", .boolean),
    Key(
      "state", "The state invariants: rules about the data of the API that must be true over all sessions.",
      .list(.vocabulary("invariant"))),
    Key(
      "relations",
      "Changes to the checks that compare responses with each other, by operationId. The name \"*\" "
        + "means all operations. The value off disables these checks.",
      .either([
        .choice(["off"]), .names(.either([.choice(["off"]), .vocabulary("relation")]), "An operationId, or \"*\"."),
      ])),
    Key(
      "recovery",
      "The maximum time after an outage or a spike of the load until the goodput has its former level again, and "
        + "keeps it.",
      .duration),
    Key("strength", "The sensitivity that a check must have to count as passed.", .vocabulary("strength")))

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
        "The maximum percentage of failed requests. A request failed if it has no response, or a status of "
          + "400 or above. Rejections by a rate limit and statuses in `expect` do not count as failures.",
        .share),
      Key("throughput", "The minimum number of responses per second.", .rate),
      Key(
        "service", "Budgets for the service time, which starts when murphy actually sends a request.",
        .vocabulary("service")),
    ]

  static let budget = Vocabulary(
    name: "budget", title: "a budget",
    summary:
      "The budgets of one operation, or of all operations together (under \"*\").",
    keys: budgetKeys + [
      Key(
        "each",
        "Budgets that each called operation must meet separately; allowed only under \"*\". An operation's "
          + "own budget for the same metric replaces a budget here.",
        .vocabulary("each"))
    ])

  static let each = Vocabulary(
    name: "each", title: "a budget of each operation",
    summary: "Budgets that apply to each called operation separately.",
    keys: budgetKeys)

  static let service = Vocabulary(
    name: "service", title: "a service budget",
    summary: "Budgets for the service time, which starts when murphy actually sends a request.",
    keys: timeKeys("service time, measured from the actual send of a request"))

  static let limit = Vocabulary(
    name: "limit", title: "a limit", summary: "A rate limit to check.",
    Key("allow", "The number of requests that the limiter admits in one time window.", .whole(atLeast: 1)),
    Key("per", "The length of the time window.", .duration),
    Key("algorithm", "The counting algorithm of the limiter; any by default.", .choice(of: LimitAlgorithm.self)),
    Key("rate", "The rate at which a token bucket gets new tokens.", .rate),
    Key("burst", "The maximum number of tokens in a token bucket.", .whole(atLeast: 1)),
    Key(
      "concurrent", "The number of requests that the limiter admits at the same time: a limit without a time window.",
      .whole(atLeast: 1)),
    Key(
      "key",
      "The value by which the limiter distinguishes clients: ip, token, global, a header's name, or a "
        + "list of these.", .texts,
      isRequired: true),
    Key("operations", "The operations whose requests the limiter counts together.", .list(.text)),
    Key(
      "cost",
      "The part of the quota that a request uses: a whole number, or an expression such as ${count(body)}. The "
        + "expression reads body, query, path and header of the request, and answer or $.field of the response. "
        + "Without this key, each request costs 1.",
      .either([.whole(atLeast: 1), .text])),
    Key(
      "also",
      "If true, murphy also checks the limits that the contract declares for the operations. If false, "
        + "this limit replaces the limits of the contract.",
      .boolean),
    Key("count", "Which failed and rejected requests use up the quota.", .vocabulary("count")),
    Key(
      "refusals", "How murphy recognises a rejection: 429 by default.",
      .list(.either([.whole(atLeast: 100), .vocabulary("refusal")]))),
    Key("tick", "The resolution of the limiter's clock, such as 1s, if you know the resolution.", .duration),
    Key(
      "aligned",
      "With epoch, each time window begins at a whole multiple of its length since "
        + "1970.", .choice(["epoch"])
    ),
    Key(
      "tested",
      "The parts of the limit that the run must test. Without this key, the run must test allowance "
        + "and window.",
      .list(.choice(of: LimitAspect.self))),
    Key("refusal-budget", "The maximum response time of a rejection.", .duration),
    Key("longest-wait", "The maximum waiting time in the Retry-After header of a rejection.", .duration),
    alternatives: [["allow", "rate", "concurrent"]])

  static let count = Vocabulary(
    name: "count", title: "count",
    summary: "Which failed and rejected requests use up the quota. Successful requests always use up the "
      + "quota.",
    Key(
      "failed",
      "Whether requests that the limiter admitted and that failed later use up the quota; perhaps by "
        + "default.",
      .choice(["yes", "no", "perhaps"])),
    Key(
      "refused",
      "Whether requests that the limiter rejected use up the quota; no by default.", .choice(["yes", "no", "perhaps"])))

  static let refusal = Vocabulary(
    name: "refusal", title: "a refusal", summary: "A status and a header that together identify a rejection.",
    Key("status", "The status of the response.", .whole(atLeast: 100), isRequired: true),
    Key("header", "The name of a header that the response must have.", .text),
    Key("value", "The value that the header must have.", .text))

  static let coverage = Vocabulary(
    name: "coverage", title: "coverage", summary: "The percentage of the contract that the run must cover.",
    Key("at-least", "The minimum percentage of contract elements that the run must cover.", .share),
    Key(
      "baseline",
      "A file with the contract elements that earlier runs covered. The run must cover all contract "
        + "elements of the file.", .text),
    Key(
      "only", "The types of contract elements that count for the coverage.",
      .list(.choice(CoverageExpectation.knownKinds))))

  static let strict = Vocabulary(
    name: "strict", title: "strict",
    summary: "Properties of responses that the scenario forbids and the contract allows.",
    keys: Strictness.Rule.allCases.map {
      Key($0.rawValue, "If true, each field of a body that no schema documents is a finding.", .boolean)
    } + [
      Key(
        "allow", "JSON Pointers of fields that need not be documented. In a JSON Pointer, * matches any token.",
        .list(.text))
    ])

  static let strength = Vocabulary(
    name: "strength", title: "strength",
    summary:
      "The sensitivity that a check must have to count as passed. With a lower sensitivity, the result "
      + "of the check is NO DATA.",
    Key(
      "contract",
      "With 95 % confidence, contract checks must detect a fault in this percentage of an operation's responses.",
      .share),
    Key(
      "contract-entities",
      "With 95 % confidence, contract checks must detect a fault in this percentage of an operation's "
        + "resources. Each different path names one resource.",
      .share),
    Key("errors", "With 95 % confidence, error budgets must rule out an error rate above this percentage.", .share),
    Key(
      "latency", "With 95 % confidence, percentile budgets must detect a slowdown by this percentage.", .share
    ),
    Key(
      "stall", "With 95 % confidence, percentile budgets must detect a pause of the API with this length.", .duration),
    Key(
      "limits",
      "Parts of a rate limit. A limit check passes only if it could have detected a limiter with a fault "
        + "in each listed part.",
      .list(.choice(of: LimitStrength.Aspect.self))))

  static let relation = Vocabulary(
    name: "relation", title: "the relations of an operation",
    summary:
      "Relations between the requests and responses of an operation. With on, murphy checks a relation. "
      + "With off, murphy does not check the relation.",
    keys: RelationRule.allCases.map { rule in
      Key(rule.rawValue, "\(rule.promise.capitalizedFirst).", relationShape(rule))
    } + [
      Key(
        "filters",
        "The query parameters that filter a list. Murphy checks that each item of the list has the "
          + "requested value.",
        .names(.choice(["on", "off"]), "The name of a query parameter.")),
      Key(
        "sort",
        "The meaning of each value of the sort parameter: a field, a sum such as upvotes - downvotes, or "
          + "off for no check.",
        .names(.either([.choice(["on", "off"]), .text]), "A value of the sort parameter.")),
      Key(
        "sorted-by",
        "The order of a list if the request names no order: a field, or a sum of fields. A leading - means "
          + "descending order.",
        .text),
      Key("stale", "The maximum age of the data in a response; 0s by default.", .duration),
      Key(
        "exclusive",
        "True if only this run changes the data. If exclusive is missing, it is true only for an API that "
          + "murphy starts.",
        .boolean),
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
    name: "list-vs-item", title: "list-vs-item",
    summary: "Allowed differences between an item in a list and the same item in its own response.",
    keys: [Key("ignore", "The fields that may differ.", .list(.text))])
}
