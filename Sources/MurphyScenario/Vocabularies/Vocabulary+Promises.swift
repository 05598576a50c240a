import MurphyModel

extension Vocabulary {
  static let load = Vocabulary(
    name: "load", title: "a load", summary: "Stages with what holds for all of them.",
    keys: [
      Key(
        name: "stages", summary: "The stages, one after the other.", shape: .list(.vocabulary("stage")),
        isRequired: true),
      Key(
        name: "arrivals", summary: "even by default; poisson draws the gaps.",
        shape: .choice(ArrivalPattern.allCases.map(\.rawValue))),
      Key(
        name: "iterations", summary: "Closed model: sessions of one user, at most.", shape: .whole(atLeast: 1)),
      Key(name: "pause", summary: "Closed model: between two sessions of a user.", shape: .drawnDuration),
    ])

  static let stage = stage(of: StageShape.all)

  static func stage(of shapes: [StageShape]) -> Vocabulary {
    Vocabulary(
      name: "stage", title: "a stage of the load",
      summary: "Arrivals of sessions (open model), or users (closed model).",
      keys: shapes.flatMap { [$0.key] + $0.details } + [
        Key(name: "users", summary: "Users, each with one session after the other: 50, or 0..50.", shape: .users),
        Key(name: "for", summary: "How long the stage lasts.", shape: .duration),
      ], alternatives: [shapes.map(\.key.name) + ["users"]])
  }

  static let expect = Vocabulary(
    name: "expect", title: "expect", summary: "The promises that the run is judged by, besides the contract.",
    keys: [
      Key(
        name: "budgets", summary: "By operationId; \"*\" for all operations together.",
        shape: .names(.vocabulary("budget"), summary: "An operationId, or \"*\".")),
      Key(
        name: "errors",
        summary: "Share of failed requests over all operations, at most; 1% by default, unless \"*\" has a budget.",
        shape: .either([.share, .choice(["off"])])),
      Key(
        name: "completed", summary: "Share of sessions that end as scripted, at least; 99% by default.",
        shape: .either([.share, .choice(["off"])])),
      Key(
        name: "connections",
        summary: "Share of the requests that must find the connection of an earlier answer open: reused >= 90%; none "
          + "by default.", shape: .either([.share, .text])),
      Key(
        name: "called",
        summary: "Operations that must be called at least once, of those that steps name; all by default.",
        shape: .either([.choice(["all", "off"]), .list(.text)])),
      Key(
        name: "sessions", summary: "Sessions of which at least one must complete; all by default.",
        shape: .either([.choice(["all", "off"]), .list(.text)])),
      Key(
        name: "limits", summary: "Rate limits, by operationId or by a name of their own; \"*\" for the whole API.",
        shape: .names(.vocabulary("limit"), summary: "An operationId, a name, or \"*\".")),
      Key(
        name: "coverage", summary: "How much of the contract the run must see.",
        shape: .either([.share, .vocabulary("coverage")])),
      Key(
        name: "strict", summary: "What the contract does not forbid, but this scenario does.",
        shape: .either([
          .choice(Strictness.Rule.allCases.map(\.rawValue)), .list(.choice(Strictness.Rule.allCases.map(\.rawValue))),
          .vocabulary("strict"),
        ])),
      Key(name: "fail-on-unchecked", summary: "An answer that could not be checked fails the run.", shape: .boolean),
      Key(name: "state", summary: "Invariants over sessions.", shape: .list(.vocabulary("invariant"))),
      Key(
        name: "relations",
        summary: "What of the relations between answers is promised, tuned or off; by operationId, \"*\" for all.",
        shape: .either([
          .choice(["off"]),
          .names(.either([.choice(["off"]), .vocabulary("relation")]), summary: "An operationId, or \"*\"."),
        ])),
      Key(
        name: "strength", summary: "How much a promise must have been tested before it counts as kept.",
        shape: .vocabulary("strength")),
    ])

  /// The percentiles that a budget may name.
  static let percentiles = ["50", "75", "80", "90", "95", "98", "99", "99.5", "99.9", "99.99"]

  private static func percentileKeys(_ what: String) -> [Key] {
    percentiles.map { Key(name: "p\($0)", summary: "\($0) % of \(what) are at most this.", shape: .duration) } + [
      Key(name: "mean", summary: "The mean of \(what) is at most this.", shape: .duration),
      Key(name: "max", summary: "All of \(what) are at most this.", shape: .duration),
    ]
  }

  /// What one operation may be held to.
  private static let budgetKeys =
    percentileKeys("latencies, from the intended start,") + [
      Key(
        name: "errors",
        summary:
          "Share of failed requests, at most: unanswered ones and statuses from 400 on, except rejections by a rate limit and what `expect` asks for.",
        shape: .share),
      Key(name: "throughput", summary: "Answers per second, at least.", shape: .rate),
      Key(name: "service", summary: "Of the service time, from the actual send.", shape: .vocabulary("service")),
    ]

  static let budget = Vocabulary(
    name: "budget", title: "a budget", summary: "What an operation must keep.",
    keys: budgetKeys + [
      Key(
        name: "each",
        summary: "Under \"*\": what every called operation must keep by itself, unless it has a budget of that metric.",
        shape: .vocabulary("each"))
    ])

  static let each = Vocabulary(
    name: "each", title: "a budget of each operation", summary: "What every called operation must keep by itself.",
    keys: budgetKeys)

  static let service = Vocabulary(
    name: "service", title: "a service budget", summary: "Of the service time, from the actual send.",
    keys: percentileKeys("service times"))

  static let limit = Vocabulary(
    name: "limit", title: "a limit", summary: "A rate limit as it is promised.",
    keys: [
      Key(name: "allow", summary: "Requests that one window admits.", shape: .whole(atLeast: 1)),
      Key(name: "per", summary: "The window's length.", shape: .duration),
      Key(
        name: "algorithm", summary: "How the limiter counts; any by default.",
        shape: .choice(LimitAlgorithm.allCases.map(\.rawValue))),
      Key(name: "rate", summary: "Token bucket: how fast tokens return.", shape: .rate),
      Key(name: "burst", summary: "Token bucket: how many tokens it holds.", shape: .whole(atLeast: 1)),
      Key(
        name: "key", summary: "Whom it counts: ip, token, global, a header's name, or a list of them.",
        shape: .either([.text, .list(.text)]), isRequired: true),
      Key(name: "operations", summary: "The operations that share the counter.", shape: .list(.text)),
      Key(
        name: "also",
        summary: "true: the contract's limits of the same operations hold as well; by default it replaces them.",
        shape: .boolean),
      Key(name: "count", summary: "Which outcomes take from the allowance.", shape: .vocabulary("count")),
      Key(
        name: "refusals", summary: "How a refusal is told: 429 by default.",
        shape: .list(.either([.whole(atLeast: 100), .vocabulary("refusal")]))),
      Key(name: "tick", summary: "The coarsest step of the limiter's clock, where it is known.", shape: .duration),
      Key(
        name: "aligned", summary: "epoch: windows begin at whole multiples of their length since 1970.",
        shape: .choice(["epoch"])),
      Key(
        name: "tested",
        summary:
          "What the run must have tested of it, by default allowance and window; the rest is shown as not tested.",
        shape: .list(.choice(LimitAspect.allCases.map(\.rawValue)))),
      Key(name: "refusal-budget", summary: "The slowest that a refusal may be.", shape: .duration),
      Key(name: "longest-wait", summary: "The longest wait that a refusal may ask for.", shape: .duration),
    ], alternatives: [["allow", "rate"]])

  static let count = Vocabulary(
    name: "count", title: "count", summary: "Which outcomes, besides successes, take from the allowance.",
    keys: [
      Key(
        name: "failed", summary: "Requests that were let through and failed; perhaps by default.",
        shape: .choice(["yes", "no", "perhaps"])),
      Key(
        name: "refused", summary: "Requests that the limiter refused; no by default.",
        shape: .choice(["yes", "no", "perhaps"])),
    ])

  static let refusal = Vocabulary(
    name: "refusal", title: "a refusal", summary: "A status with a header that makes it a refusal.",
    keys: [
      Key(name: "status", summary: "The status.", shape: .whole(atLeast: 100), isRequired: true),
      Key(name: "header", summary: "The header that must be there.", shape: .text),
      Key(name: "value", summary: "The header's value.", shape: .text),
    ])

  static let coverage = Vocabulary(
    name: "coverage", title: "coverage", summary: "How much of the contract the run must see.",
    keys: [
      Key(name: "at-least", summary: "The share that must be seen.", shape: .share),
      Key(
        name: "baseline", summary: "A file of what was seen before: nothing of it may be missing now.", shape: .text),
      Key(
        name: "only", summary: "The kinds of things that count.",
        shape: .list(.choice(CoverageExpectation.knownKinds))),
    ])

  static let strict = Vocabulary(
    name: "strict", title: "strict", summary: "What the contract does not forbid, but this scenario does.",
    keys: Strictness.Rule.allCases.map {
      Key(name: $0.rawValue, summary: "Whether this is a finding.", shape: .boolean)
    } + [
      Key(
        name: "allow", summary: "JSON Pointers of fields that may be undocumented; * stands for any one token.",
        shape: .list(.text))
    ])

  static let strength = Vocabulary(
    name: "strength", title: "strength",
    summary: "How much a promise must have been tested before it counts as kept; with less it has no data.",
    keys: [
      Key(
        name: "contract", summary: "A fault in this share of an operation's answers would have been seen with 95 %.",
        shape: .share),
      Key(
        name: "contract-entities",
        summary: "A fault in this share of the things that its paths name would have been seen with 95 %.",
        shape: .share),
      Key(
        name: "errors", summary: "A larger share of errors is excluded with 95 %, of every budget on errors.",
        shape: .share),
      Key(
        name: "latency", summary: "A slowdown by this share would have broken every percentile with 95 %.",
        shape: .share),
      Key(
        name: "stall", summary: "A freeze for so long would have broken every percentile with 95 %.", shape: .duration
      ),
      Key(
        name: "limits", summary: "Wrong limiters that the traffic must have told from every limit that is kept.",
        shape: .list(.choice(LimitStrength.Aspect.allCases.map(\.rawValue)))),
    ])

  static let relation = Vocabulary(
    name: "relation", title: "the relations of an operation",
    summary: "What holds between the requests and answers of an operation: on is a promise, off is not looked for.",
    keys: RelationRule.allCases.map { rule in
      Key(
        name: rule.rawValue, summary: "\(rule.promise.prefix(1).uppercased())\(rule.promise.dropFirst()).",
        shape: relationShape(rule))
    } + [
      Key(
        name: "filters", summary: "Single filters by their parameter: whether each row has the value asked for.",
        shape: .names(.choice(["on", "off"]), summary: "A query parameter.")),
      Key(
        name: "sort", summary: "What values of the sort parameter sort by: a sum such as upvotes - downvotes, or off.",
        shape: .names(.either([.choice(["on", "off"]), .text]), summary: "A value of the sort parameter.")),
      Key(
        name: "sorted-by",
        summary: "The field, or sum, that a list is sorted by where nothing is asked; - in front: downwards.",
        shape: .text),
      Key(name: "stale", summary: "How far behind the truth an answer may be; 0s by default.", shape: .duration),
      Key(
        name: "exclusive", summary: "Whether nobody but this run writes; true by default for an embedded target.",
        shape: .boolean),
      Key(
        name: "walk", summary: "Whether murphy reads the collection page by page after the load; on by default.",
        shape: .choice(["on", "off"])),
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
    keys: [Key(name: "ignore", summary: "Fields that may differ.", shape: .list(.text))])

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
