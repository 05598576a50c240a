extension Vocabulary {
  static let session = Vocabulary(
    name: "session", title: "a session", summary: "What one kind of user does, from arrival to leaving.",
    keys: [
      Key(name: "about", summary: "Who this user is.", shape: .text),
      Key(name: "share", summary: "Its weight among the sessions; 1 by default.", shape: .number),
      Key(
        name: "client", summary: "Replaces or adds to the scenario's client for this session.",
        shape: .vocabulary("client")),
      Key(
        name: "tags", summary: "Names under which the figures of all of its requests stand together, too.",
        shape: .either([.text, .list(.text)])),
      Key(name: "steps", summary: "What the user does, in order.", shape: .list(.vocabulary("step")), isRequired: true),
    ])

  private static let stepsKey = Key(name: "steps", summary: "The steps.", shape: .list(.vocabulary("step")))

  /// Every kind of step and the key that tells it, most telling first.
  static let steps: [(key: String, vocabulary: Vocabulary)] = [
    ("type", type), ("burst", burst), ("repeat", loop), ("while", loop), ("poll", poll), ("if", branch),
    ("choose", choice),
    ("group", group), ("offline", offline), ("do", namedSteps), ("think", think), ("set", set), ("call", call),
  ]

  static let call = Vocabulary(
    name: "call", title: "a call", summary: "One request.",
    keys: callKeys.map {
      var key = $0
      key.isRequired = key.name == "call"
      return key
    })

  static let retry = Vocabulary(
    name: "retry", title: "a retry", summary: "Which outcomes the client tries again by itself, and when.",
    keys: [
      Key(
        name: "on", summary: "The outcomes: statuses (503), classes (5XX), error for no answer, or a list of them.",
        shape: .either([.text, .status, .list(.either([.text, .status]))]), isRequired: true),
      Key(name: "times", summary: "Retries of one call, at most; 2 by default.", shape: .whole(atLeast: 1)),
      Key(name: "wait", summary: "Before the first retry; 500ms by default.", shape: .duration),
      Key(name: "factor", summary: "By which each further wait is longer; 2 by default.", shape: .number),
      Key(name: "longest", summary: "The longest wait; 30s by default.", shape: .duration),
      Key(name: "jitter", summary: "The share of the wait that chance decides; 50% by default.", shape: .share),
      Key(
        name: "retry-after", summary: "honoured (by default) or, as careless clients do, ignored.",
        shape: .choice(RetryRule.Hint.allCases.map(\.rawValue))),
    ])

  static let check = Vocabulary(
    name: "check", title: "an expectation of a call", summary: "What the answer must show beyond the contract.",
    keys: [
      Key(
        name: "status", summary: "The status, a class (2XX), a range (200..204), or a list of them.",
        shape: .either([.status, .list(.status)])),
      Key(
        name: "body",
        summary: "What a JSONPath query must find in the body: a value, present, absent, or conditions. "
          + "Looked at where the status is an expected one.",
        shape: .names(.either([.template, .vocabulary("condition")]), summary: "A JSONPath query.")),
      Key(
        name: "headers", summary: "Response headers and their values: a text, present, absent, or conditions.",
        shape: .names(.either([.textTemplate, .vocabulary("condition")]), summary: "The header's name.")),
      Key(
        name: "that",
        summary: "Expressions over the answer that must be true: ${count($.data) <= 25}, ${answer.status == 200}.",
        shape: .either([.condition, .list(.condition)])),
      Key(
        name: "on-failure",
        summary: "continue goes on with the session, and the failed expectation stays a finding; end by default.",
        shape: .choice(AnswerChecks.OnFailure.allCases.map(\.rawValue))),
    ])

  static let condition = Vocabulary(
    name: "condition", title: "a condition", summary: "What a value of an answer must be; all that is said must hold.",
    keys: [
      Key(name: "equals", summary: "The value itself, whatever it looks like.", shape: .template),
      Key(name: "present", summary: "Whether it must be there; a null is there.", shape: .boolean),
      Key(
        name: "type", summary: "string, number, integer, boolean, array, object, null, or a list of them.",
        shape: .either([.text, .list(.text), .null])),
      Key(
        name: "pattern", summary: "A regular expression (ECMA-262) that matches somewhere in the text.", shape: .text),
      Key(name: "schema", summary: "A JSON Schema (2020-12) that every value found conforms to.", shape: .anything),
    ])

  static let think = Vocabulary(
    name: "think", title: "a think time", summary: "A pause of the user.",
    keys: [
      Key(name: "think", summary: "How long: 2s, 1s..4s, lognormal(3s, 0.8).", shape: .drawnDuration, isRequired: true)
    ])

  static let loop = Vocabulary(
    name: "repeat", title: "a repeat", summary: "Steps, or one call, several times; index counts the turns from 0.",
    keys: [
      Key(name: "repeat", summary: "How many turns: 3, 2..5, ${count(ids)}; with while, at most.", shape: .drawnCount),
      Key(name: "while", summary: "Asked before each turn.", shape: .condition),
      Key(name: "as", summary: "A name for the turn's number besides index.", shape: .text),
      stepsKey,
    ] + callKeys, alternatives: [["steps", "call"]])

  static let poll = Vocabulary(
    name: "poll", title: "a poll",
    summary: "Steps, or one call, again and again until an answer shows what the user waits for; index counts from 0.",
    keys: [
      Key(
        name: "poll", summary: "From one turn to the next, and no sooner than the answer: 2s.", shape: .drawnDuration,
        isRequired: true),
      Key(
        name: "until", summary: "Asked after each turn: ${$.state == \"done\"}. A session that never sees it fails.",
        shape: .condition),
      Key(
        name: "times", summary: "How many turns; with until, at most, and 100 by default.", shape: .drawnCount),
      stepsKey,
    ] + callKeys, alternatives: [["steps", "call"]])

  static let offline = Vocabulary(
    name: "offline", title: "a time offline",
    summary: "Steps, or one call, of a user without a network: reads take what its client keeps, writes are sent "
      + "afterwards in their order.",
    keys: [
      Key(
        name: "offline", summary: "How long, at least: 10s..60s.", shape: .drawnDuration, isRequired: true),
      stepsKey,
    ] + callKeys, alternatives: [["steps", "call"]])

  static let burst = Vocabulary(
    name: "burst", title: "a burst",
    summary: "Steps, or one call, many times, spread evenly; index counts the turns from 0.",
    keys: [
      Key(name: "burst", summary: "How many turns.", shape: .drawnCount, isRequired: true),
      Key(name: "over", summary: "The time that the turns are spread over.", shape: .drawnDuration, isRequired: true),
      stepsKey,
    ] + callKeys, alternatives: [["steps", "call"]])

  static let type = Vocabulary(
    name: "type", title: "a type step", summary: "A person typing; typed is the text so far.",
    keys: [
      Key(name: "type", summary: "The text that is typed.", shape: .textTemplate, isRequired: true),
      Key(name: "every", summary: "From one key to the next.", shape: .drawnDuration, isRequired: true),
      Key(
        name: "debounce", summary: "Only a pause this long sends a request; 0s sends on every key.", shape: .duration),
      Key(
        name: "newer", summary: "What a request does to the one before it that is still in flight; cancels by default.",
        shape: .choice(TypeStep.Newer.allCases.map(\.rawValue))),
      Key(name: "at-least", summary: "Fewer typed characters send nothing; 1 by default.", shape: .whole(atLeast: 1)),
    ]
      + callKeys.map {
        var key = $0
        key.isRequired = key.name == "call"
        return key
      })

  static let branch = Vocabulary(
    name: "if", title: "an if", summary: "Steps, or one call, under a condition.",
    keys: [
      Key(name: "if", summary: "${status == 200 && count(ids) > 0}", shape: .condition, isRequired: true),
      stepsKey,
      Key(name: "else", summary: "The steps otherwise.", shape: .list(.vocabulary("step"))),
    ] + callKeys, alternatives: [["steps", "call"]])

  static let choice = Vocabulary(
    name: "choose", title: "a choose", summary: "One of several ways to go on.",
    keys: [
      Key(name: "choose", summary: "The ways.", shape: .list(.vocabulary("way")), isRequired: true)
    ])

  static let way = Vocabulary(
    name: "way", title: "a way of choose", summary: "Steps, or one call, taken with a share.",
    keys: [Key(name: "share", summary: "Its weight among the ways; 1 by default.", shape: .number), stepsKey] + callKeys
  )

  static let group = Vocabulary(
    name: "group", title: "a group", summary: "Steps under one name.",
    keys: [Key(name: "group", summary: "The name.", shape: .text, isRequired: true), stepsKey] + callKeys,
    alternatives: [["steps", "call"]])

  static let namedSteps = Vocabulary(
    name: "do", title: "a do", summary: "Steps that `steps:` of the scenario, or of a file that it includes, names.",
    keys: [Key(name: "do", summary: "The name.", shape: .text, isRequired: true)])

  static let set = Vocabulary(
    name: "set", title: "a set", summary: "Names for values, in the order written.",
    keys: [
      Key(
        name: "set", summary: "The names.", shape: .names(.template, summary: "The variable's name."),
        isRequired: true)
    ])
}
