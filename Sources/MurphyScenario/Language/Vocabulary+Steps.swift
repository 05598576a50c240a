extension Vocabulary {
  static let session = Vocabulary(
    name: "session", title: "a session", summary: "What one kind of user does, from arrival to leaving.",
    Key("about", "Who this user is.", .text),
    Key("share", "Its weight among the sessions; 1 by default.", .number),
    Key("client", "Replaces or adds to the scenario's client for this session.", .vocabulary("client")),
    Key("tags", "Tags that also group the results of all of its requests.", .texts),
    Key("steps", "What the user does, in order.", .steps, isRequired: true))

  private static let stepsKey = Key("steps", "The steps.", .steps)

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
    name: "call", title: "a call", summary: "One request.",
    keys: requiredCallKeys)

  static let retry = Vocabulary(
    name: "retry", title: "a retry", summary: "Which outcomes the client retries automatically, and when.",
    Key(
      "on", "The outcomes: statuses (503), classes (5XX), error for no response, or a list of them.",
      .either([.text, .status, .list(.either([.text, .status]))]), isRequired: true),
    Key("times", "Retries of one call, at most; 2 by default.", .whole(atLeast: 1)),
    Key("wait", "Before the first retry; 500ms by default.", .duration),
    Key("factor", "The factor by which each further wait is longer; 2 by default.", .number),
    Key("longest", "The longest wait; 30s by default.", .duration),
    Key("jitter", "The random share of the wait; 50% by default.", .share),
    Key("retry-after", "honoured (by default) or, as careless clients do, ignored.", .choice(of: RetryRule.Hint.self)))

  static let check = Vocabulary(
    name: "check", title: "an expectation of a call", summary: "Checks of the response in addition to the contract.",
    Key(
      "status", "The status, a class (2XX), a range (200..204), or a list of them.",
      .either([.status, .list(.status)])),
    Key(
      "body",
      "What a JSONPath query must find in the body: a value, present, absent, or conditions. Checked only if the "
        + "status is an expected one.",
      .names(.either([.template, .vocabulary("condition")]), "A JSONPath query.")),
    Key(
      "headers", "Response headers and their values: a string, present, absent, or conditions.",
      .names(.either([.textTemplate, .vocabulary("condition")]), "The header's name.")),
    Key(
      "that", "Expressions over the response that must be true: ${count($.data) <= 25}, ${answer.status == 200}.",
      .either([.condition, .list(.condition)])),
    Key(
      "on-failure", "continue continues the session, and the failed expectation remains a finding; end by default.",
      .choice(of: AnswerChecks.OnFailure.self)))

  static let condition = Vocabulary(
    name: "condition", title: "a condition", summary: "Conditions on a value of a response; all of them must be met.",
    Key("equals", "The value itself, also if it looks like a condition.", .template),
    Key("present", "True if it must be present; a null is present.", .boolean),
    Key(
      "type", "string, number, integer, boolean, array, object, null, or a list of them.",
      .either([.text, .list(.text), .null])),
    Key("pattern", "A regular expression (ECMA-262) that matches somewhere in the string.", .text),
    Key("schema", "A JSON Schema (2020-12) that every value found conforms to.", .anything))

  static let think = Vocabulary(
    name: "think", title: "a think time", summary: "A pause of the user.",
    Key("think", "How long: 2s, 1s..4s, lognormal(3s, 0.8).", .drawnDuration, isRequired: true))

  static let loop = block(
    name: "repeat", title: "a repeat", summary: "Steps, or one call, several times; index counts the turns from 0.",
    Key("repeat", "How many turns: 3, 2..5, ${count(ids)}; with while, at most.", .drawnCount),
    Key("while", "The condition, evaluated before each turn.", .condition),
    Key("as", "A name for the turn's number, in addition to index.", .text))

  static let poll = block(
    name: "poll", title: "a poll",
    summary: "Steps, or one call, repeated until a response shows what the user waits for; index counts from 0.",
    Key(
      "poll", "The time from one turn to the next, but not before the response: 2s.", .drawnDuration, isRequired: true),
    Key(
      "until",
      "The condition, evaluated after each turn: ${$.state == \"done\"}. A session fails if it never becomes true.",
      .condition),
    Key("times", "How many turns; with until, at most, and 100 by default.", .drawnCount))

  static let offline = block(
    name: "offline", title: "a time offline",
    summary: "Steps, or one call, of a user without a network: reads use its client's cache, writes are sent "
      + "afterwards in their order.",
    Key("offline", "How long, at least: 10s..60s.", .drawnDuration, isRequired: true))

  static let burst = block(
    name: "burst", title: "a burst",
    summary: "Steps, or one call, many times, spread evenly; index counts the turns from 0.",
    Key("burst", "How many turns.", .drawnCount, isRequired: true),
    Key("over", "The time that the turns are spread over.", .drawnDuration, isRequired: true))

  static let type = Vocabulary(
    name: "type", title: "a type step", summary: "A person typing; typed is the text so far.",
    keys: [
      Key("type", "The text that is typed.", .textTemplate, isRequired: true),
      Key("every", "From one key to the next.", .drawnDuration, isRequired: true),
      Key("debounce", "Only a pause this long sends a request; 0s sends on every key.", .duration),
      Key(
        "newer", "How a request affects the previous one that is still in flight; cancels by default.",
        .choice(of: TypeStep.Newer.self)),
      Key("at-least", "Fewer typed characters send nothing; 1 by default.", .whole(atLeast: 1)),
    ] + requiredCallKeys)

  static let branch = block(
    name: "if", title: "an if", summary: "Steps, or one call, under a condition.",
    Key("if", "${status == 200 && count(ids) > 0}", .condition, isRequired: true),
    behind: [Key("else", "The steps otherwise.", .steps)])

  static let choice = Vocabulary(
    name: "choose", title: "a choose", summary: "One of several ways to continue.",
    Key("choose", "The ways.", .list(.vocabulary("way")), isRequired: true))

  static let way = Vocabulary(
    name: "way", title: "a way of choose", summary: "Steps, or one call, chosen by weight.",
    keys: [Key("share", "Its weight among the ways; 1 by default.", .number), stepsKey] + callKeys
  )

  static let group = block(
    name: "group", title: "a group", summary: "Steps under one name.",
    Key("group", "The name.", .text, isRequired: true))

  static let namedSteps = Vocabulary(
    name: "do", title: "a do", summary: "Named steps from `steps:` of the scenario or of an included file.",
    keys: [Key("do", "The name.", .text, isRequired: true)])

  static let set = Vocabulary(
    name: "set", title: "a set", summary: "Names for values, in the order written.",
    Key("set", "The names.", .names(.template, "The variable's name."), isRequired: true))
}
