import MurphyModel

extension Vocabulary {
  static let load = Vocabulary(
    name: "load", title: "a load", summary: "The stages of the load, and the settings for all stages.",
    Key("stages", "The stages of the load, in order of time.", .list(.vocabulary("stage")), isRequired: true),
    Key(
      "arrivals",
      "How sessions arrive over time: even by default. With `even`, the intervals between arrivals are equal. With "
        + "`poisson`, the intervals between arrivals are random, as in a Poisson process.",
      .choice(of: ArrivalPattern.self)),
    Key("iterations", "The maximum number of sessions of one user, in a load with users.", .whole(atLeast: 1)),
    Key("pause", "The pause between two sessions of a user, in a load with users.", .drawnDuration),
    Key("outage", "A time in which murphy sends no request to the API (a simulated outage).", .vocabulary("outage")),
    Key(
      "spike",
      "A time in which murphy multiplies the arrival rate or the number of users by a factor.", .vocabulary("spike")))

  private static let times = [
    Key("at", "The time from the start of the load to the start of the outage or spike.", .duration, isRequired: true),
    Key("for", "The duration of the outage or spike.", .duration, isRequired: true),
  ]

  static let outage = Vocabulary(
    name: "outage", title: "an outage",
    summary: "A simulated outage of the API. During the outage, murphy sends no request: each new request fails after "
      + "10ms, like a refused connection. The sessions and the retries of clients continue.",
    keys: times)

  static let spike = Vocabulary(
    name: "spike", title: "a spike",
    summary: "A time in which murphy multiplies the arrival rate or the number of "
      + "users by a factor.",
    keys: times + [
      Key(
        "factor",
        "The factor by which murphy multiplies the arrival rate or the number of users.", .number, isRequired: true)
    ])

  static let stage = stage(of: StageShape.all)

  static func stage(of shapes: [StageShape]) -> Vocabulary {
    Vocabulary(
      name: "stage", title: "a stage of the load",
      summary: "A part of the load: an arrival rate of sessions (open model), or a number of users (closed model).",
      keys: shapes.flatMap { [$0.key] + $0.details } + [
        Key(
          "users",
          "The number of users, such as 50, or a linear change, such as 0..50. Each user runs one session after "
            + "another.", .users),
        Key("for", "The duration of the stage.", .duration),
      ], alternatives: [shapes.map(\.key.name) + ["users"]])
  }
}
