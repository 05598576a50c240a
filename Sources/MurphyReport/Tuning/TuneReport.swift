import MurphyModel

/// The page of `murphy tune`: which policy throttles whom, drawn from the result alone.
public struct TuneReport: Sendable {
  public let result: TuneResult
  /// What was tuned, as the scenario's name.
  public let title: String

  public init(_ result: TuneResult, title: String) {
    self.result = result
    self.title = title
  }

  /// The whole document; like a run's report it needs no network and no script.
  public var text: String {
    Page(
      title: "Rate limits · \(title)",
      body: .group([
        header,
        element(.main) {
          section("pareto", "Who is throttled, and what an abuser gets", ParetoChart(result: result).markup)
          section("demand", "Demand", DemandChart(result: result).markup)
          section("heat", "Allowance and window", ThrottleHeat(result: result).markup)
          section("timeline", "One throttled address", timeline)
          section("replays", "With clients that come back", TuneTables(result: result).replays)
          section("policies", "The best policies", TuneTables(result: result).front)
          section("faults", "If the limiter is wrong", faults)
        },
        element(.footer) { element(.p, text: "murphy tune · \(result.format)") },
      ])
    ).text
  }

  private var header: Markup {
    element(.header, .class("verdict tuning")) {
      element(.p, .class("kicker")) {
        element(.strong, text: "murphy")
        " · rate-limit tuning"
      }
      element(.h1) { element(.span, .class("scenario"), text: title) }
      element(.ul, .class("reasons")) {
        for recommendation in result.recommendations { element(.li, text: recommendation.sentence) }
        for answer in result.answers { element(.li, text: answer.sentence) }
      }
      element(.dl, .class("figures")) {
        figure("sessions", result.demand.sessions)
        figure("requests", result.demand.requests)
        figure("users", result.demand.users)
        figure("addresses", result.demand.addresses)
        figure("most users behind one", result.demand.largestSharing)
        figure("policies tried", result.points.count)
      }
    }
  }

  private func figure(_ name: String, _ count: Int) -> Markup {
    element(.div) {
      element(.dt, text: name)
      element(.dd, text: Figure.count(count).text)
    }
  }

  private func section(_ id: String, _ title: String, _ content: Markup) -> Markup {
    if content.isEmpty { return .nothing }
    return element(.section, .id(id), Attribute("aria-labelledby", id + "-heading")) {
      element(.h2, .id(id + "-heading"), text: title)
      content
    }
  }

  @MarkupBuilder private var timeline: Markup {
    if let timeline = result.timeline {
      lead(
        "\(timeline.address), \(counted(timeline.users, "user")) behind it, under \(timeline.policy): "
          + "each tick is a request, admitted above the line and refused below it.")
      element(.figure, .class("strips")) {
        StripChart(
          strip: timeline.strip, window: TuneText.window(of: timeline, in: result), id: "throttled",
          duration: timeline.strip.requests.map(\.at).max() ?? 0
        ).markup
      }
    }
  }

  @MarkupBuilder private var faults: Markup {
    if !result.faults.isEmpty {
      element(.ul, .class("plain")) { for fault in result.faults { element(.li, text: fault) } }
    }
  }
}
