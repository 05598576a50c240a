extension Vocabulary {
  static let session = Vocabulary(
    name: "session", title: "a session",
    summary: "The steps of one type of user, from the start to the end of the session.",
    Key("about", "A description of this type of user.", .text),
    Key(
      "share",
      "The weight of this session; 1 by default. A session with weight 2 starts twice as often as a "
        + "session with weight 1.", .number),
    Key(
      "client", "Client settings of this session, which replace or extend the client settings of the scenario.",
      .vocabulary("client")),
    Key("tags", "Tags that group the results of the session's requests.", .texts),
    Key("steps", "The steps of the user, in the order in which the session runs them.", .steps, isRequired: true))

  private static let stepsKey = Key("steps", "The steps to run, in order.", .steps)

  /// A step that contains steps, or one call in their place.
  private static func block(
    name: String, title: String, summary: String, _ keys: Key..., behind: [Key] = []
  ) -> Vocabulary {
    Vocabulary(
      name: name, title: title, summary: summary, keys: keys + [stepsKey] + behind + callKeys,
      alternatives: [["steps", "call"]])
  }

  /// Every kind of step and the key that identifies it, most specific first.
  static let steps: [(key: String, vocabulary: Vocabulary)] = [
    ("type", type), ("burst", burst), ("repeat", loop), ("while", loop), ("poll", poll), ("if", branch),
    ("choose", choice),
    ("group", group), ("offline", offline), ("do", namedSteps), ("think", think), ("set", set), ("call", call),
  ]

  static let call = Vocabulary(
    name: "call", title: "a call", summary: "One request to the API.",
    keys: requiredCallKeys)

  static let retry = Vocabulary(
    name: "retry", title: "a retry rule",
    summary: "Which failed requests the client automatically sends again, and after which waiting times.",
    Key(
      "on",
      "The results after which the client sends the request again. A result is a status such as 503, a class such as "
        + "5XX, or `error` (no response).",
      .either([.text, .status, .list(.either([.text, .status]))]), isRequired: true),
    Key("times", "The maximum number of retries of one call; 2 by default.", .whole(atLeast: 1)),
    Key("wait", "The time that the client waits before the first retry; 500ms by default.", .duration),
    Key("factor", "The factor by which the waiting time grows with each retry; 2 by default.", .number),
    Key(
      "longest",
      "The maximum waiting time before a retry; 30s by default. A longer time in the Retry-After header replaces the "
        + "maximum.", .duration),
    Key(
      "jitter", "The maximum of the random percentage by which the client shortens each waiting time; 50% by default.",
      .share),
    Key(
      "retry-after",
      "How the client uses the Retry-After header: honoured by default. With `honoured`, the client waits at least for "
        + "the time in the Retry-After header. With `ignored`, the client ignores the Retry-After header.",
      .choice(of: RetryRule.Hint.self)))

  static let check = Vocabulary(
    name: "check", title: "expect of a call",
    summary: "Checks of the response, in addition to the checks against the contract.",
    Key(
      "status", "The expected status: a number, a class such as 2XX, a range such as 200..204, or a list of these.",
      .either([.status, .list(.status)])),
    Key(
      "body",
      "JSONPath queries for the response body. The expected result of each query is a value, `present`, `absent`, or "
        + "conditions. Murphy checks the body only if the response has an expected status.",
      .names(.either([.template, .vocabulary("condition")]), "A JSONPath query.")),
    Key(
      "headers",
      "The expected response headers, by name. The expected value of a header is a string, `present`, `absent`, or "
        + "conditions.",
      .names(.either([.textTemplate, .vocabulary("condition")]), "The header's name.")),
    Key(
      "that",
      "Expressions that must be true for the response, such as ${count($.data) <= 25} or ${answer.status == 200}.",
      .either([.condition, .list(.condition)])),
    Key(
      "on-failure",
      "What the session does after a failed expectation: end by default. With `continue`, the session continues, and "
        + "murphy still reports the finding.",
      .choice(of: AnswerChecks.OnFailure.self)))

  static let condition = Vocabulary(
    name: "condition", title: "a condition",
    summary: "Conditions on a value of a response. The value must meet all conditions.",
    Key(
      "equals",
      "The exact expected value. Use `equals` if the expected value is an object with keys such as type or pattern.",
      .template),
    Key(
      "present",
      "If true, the value must be present. If false, the value must be absent. The value null counts as present.",
      .boolean),
    Key(
      "type", "The expected JSON type: string, number, integer, boolean, array, object, null, or a list of these.",
      .either([.text, .list(.text), .null])),
    Key("pattern", "A regular expression (ECMA-262) that must match a part of the string.", .text),
    Key(
      "schema",
      "A JSON Schema (2020-12). Each value that the JSONPath query selects must conform to the schema.", .anything))

  static let think = Vocabulary(
    name: "think", title: "a think step", summary: "A pause of the user between two steps.",
    Key("think", "The length of the pause, such as 2s, 1s..4s or lognormal(3s, 0.8).", .drawnDuration, isRequired: true)
  )

  static let loop = block(
    name: "repeat", title: "a repeat step",
    summary: "Steps (or one call) that run several times. The variable index counts the repetitions from 0.",
    Key(
      "repeat",
      "The number of repetitions, such as 3, 2..5 or ${count(ids)}. With `while`, it is the maximum "
        + "number of repetitions.", .drawnCount),
    Key(
      "while", "The condition for another repetition. Murphy evaluates the condition before each repetition.",
      .condition),
    Key(
      "as",
      "A second name for the variable index, such as page. A second name is useful in nested repetitions.", .text))

  static let poll = block(
    name: "poll", title: "a poll step",
    summary:
      "Steps (or one call) that run again and again until a response meets a condition. The variable index counts the "
      + "repetitions from 0.",
    Key(
      "poll",
      "The time from the start of one repetition to the start of the next, such as 2s. The next repetition never "
        + "starts before the previous response is received.", .drawnDuration,
      isRequired: true),
    Key(
      "until",
      "The condition that ends the repetitions, such as ${$.state == \"done\"}. Murphy evaluates the condition after "
        + "each repetition. If the condition never becomes true, the session fails.",
      .condition),
    Key(
      "times", "The number of repetitions. With `until`, the maximum number of repetitions; 100 by default.",
      .drawnCount))

  static let offline = block(
    name: "offline", title: "an offline step",
    summary:
      "Steps (or one call) that run while the user is offline. Reads use the responses in the client's cache. The "
      + "client sends the writes after the offline time, in their order.",
    Key(
      "offline", "The minimum time for which the user is offline, such as 10s..60s.", .drawnDuration, isRequired: true))

  static let burst = block(
    name: "burst", title: "a burst step",
    summary:
      "Steps (or one call) that start several times at equal intervals. The variable index counts the repetitions from "
      + "0.",
    Key("burst", "The number of repetitions.", .drawnCount, isRequired: true),
    Key("over", "The time during which the repetitions start, at equal intervals.", .drawnDuration, isRequired: true))

  static let type = Vocabulary(
    name: "type", title: "a type step",
    summary:
      "A user who types text and sends requests while typing. The variable typed contains the characters typed so far.",
    keys: [
      Key("type", "The text to type.", .textTemplate, isRequired: true),
      Key("every", "The time between two typed characters.", .drawnDuration, isRequired: true),
      Key(
        "debounce",
        "The pause in typing after which the user sends a request. With 0s, the user sends a request "
          + "after each typed character.", .duration),
      Key(
        "newer",
        "What happens if the previous request is still in flight when the user sends a new one; cancels by default. "
          + "With `cancels`, murphy cancels the previous request. With `waits`, the new request waits for the previous "
          + "response. With `overlaps`, both requests are in flight.",
        .choice(of: TypeStep.Newer.self)),
      Key(
        "at-least", "The minimum number of typed characters before the user sends a request; 1 by default.",
        .whole(atLeast: 1)),
    ] + requiredCallKeys)

  static let branch = block(
    name: "if", title: "an if step", summary: "Steps (or one call) that run if a condition is true.",
    Key("if", "The condition, such as ${status == 200 && count(ids) > 0}.", .condition, isRequired: true),
    behind: [Key("else", "The steps that run if the condition is false.", .steps)])

  static let choice = Vocabulary(
    name: "choose", title: "a choose step",
    summary: "A list of alternatives. The session runs one alternative, chosen at random.",
    Key(
      "choose", "The alternatives. Each alternative contains steps, or one call.", .list(.vocabulary("way")),
      isRequired: true))

  static let way = Vocabulary(
    name: "way", title: "an alternative of choose",
    summary:
      "One alternative of choose: steps (or one call). The weight sets how often the session runs this alternative.",
    keys: [
      Key(
        "share",
        "The weight of this alternative; 1 by default. An alternative with weight 2 runs twice as often as one with "
          + "weight 1.", .number), stepsKey,
    ] + callKeys
  )

  static let group = block(
    name: "group", title: "a group step",
    summary: "Steps under a common name, which structures the scenario for its readers.",
    Key("group", "The name of the group.", .text, isRequired: true))

  static let namedSteps = Vocabulary(
    name: "do", title: "a do step",
    summary: "A reference to a named list of steps, from `steps:` of the scenario or of an included file.",
    keys: [Key("do", "The name of the list of steps to run.", .text, isRequired: true)])

  static let set = Vocabulary(
    name: "set", title: "a set step",
    summary: "Variables and their new values. Murphy evaluates the variables in the order in which they are written.",
    Key("set", "The variables, by name.", .names(.template, "The variable's name."), isRequired: true))
}
