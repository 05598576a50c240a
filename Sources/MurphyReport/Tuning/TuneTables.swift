import MurphyModel

/// The numbers behind the drawings of the tuning page.
struct TuneTables {
  let result: TuneResult

  private static let rowsShown = 40

  @MarkupBuilder var replays: Markup {
    if !result.replays.isEmpty {
      lead("The same demand played once more with clients that honour Retry-After and try twice again.")
      Table(
        caption: "Policies with clients that come back",
        columns: [
          .text("policy"), .number("sessions refused"), .number("sessions failed"), .number("attempts refused"),
          .number("delay, p95"),
        ],
        rows: result.replays.map { replay in
          [
            element(.span, .class("name"), text: replay.policy), .text(TuneText.share(replay.refused)),
            .text(TuneText.share(replay.failed)), .text(TuneText.share(replay.refusals)),
            .text(Figure.seconds(replay.delay).text),
          ]
        }
      ).markup
    }
  }

  @MarkupBuilder var front: Markup {
    let front = result.points.filter(\.isOnFront).sorted {
      ($0.key, $0.abusePerMinute, $0.throttled) < ($1.key, $1.abusePerMinute, $1.throttled)
    }
    if !front.isEmpty {
      lead("Policies of each key that no other one beats in both.")
      Table(
        caption: "Policies that no other one beats",
        columns: [
          .text("key"), .text("policy"), .text("algorithm"), .number("throttled"), .number("abuser, a minute"),
          .number("abuser, for ever"),
        ], rows: front.prefix(Self.rowsShown).map(row)
      ).markup
      if front.count > Self.rowsShown {
        element(.p, .class("cut"), text: "and \(counted(front.count - Self.rowsShown, "more policy", "more policies"))")
      }
    }
  }

  private func row(_ point: TuneResult.Point) -> [Markup] {
    [
      element(.span, .class("name"), text: TuneText.key(point.key)), .text(TuneText.policy(point)),
      .text(TuneText.algorithm(point.algorithm)), .text(TuneText.share(point.throttled)),
      .text(Figure.digits(point.abusePerMinute)), .text(Figure.rate(point.abusePerSecond).text),
    ]
  }
}
