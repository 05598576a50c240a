import MurphyJudge
import MurphyModel

/// The result of `murphy tune`: which policy throttles which sessions.
package struct TuneReport: Sendable {
  let result: TuneResult
  /// The name of the scenario.
  let title: String

  package init(_ result: TuneResult, title: String) { (self.result, self.title) = (result, title) }

  private static let rowsShown = 40

  package var document: ReportDocument {
    let demand = result.demand
    let counts = [
      ("sessions", demand.sessions), ("requests", demand.requests), ("users", demand.users),
      ("addresses", demand.addresses), ("most users per address", demand.largestSharing),
      ("policies tested", result.points.count),
    ]
    return ReportDocument(
      title: "Rate limits · \(title)", kicker: "rate-limit tuning", name: title,
      reasons: (result.recommendations.map(\.sentence) + result.outcomes.map(\.sentence)).map { Phrase($0) },
      tiles: counts.map { .init($0.0, .count($0.1)) },
      sections: [
        .init("pareto", "Throttled sessions and abuse rates", entry: "Policies") {
          ParetoChart(result: result).blocks
        },
        .init("demand", "Demand") { DemandChart(result: result).blocks },
        .init("heat", "Quota and window", entry: "Heat map") { ThrottleHeat(result: result).blocks },
        .init("timeline", "One throttled address", entry: "Address") { timeline },
        .init("replays", "With clients that retry", entry: "Retries") { replays },
        .init("policies", "The best policies", entry: "Best") { front },
        .init("faults", "If the limiter is faulty", entry: "Faults") { Block.lines(result.faults) },
      ],
      footer: "murphy tune · \(result.format)")
  }

  @BlockBuilder private var timeline: [Block] {
    if let timeline = result.timeline {
      Block.lead(
        "\(timeline.address), \(counted(timeline.users, "user")) at this address, with the policy "
          + "\(timeline.policy). Each tick is a request: above the line if admitted, below the line if refused.")
      Block.heading("Requests over time")
      element(.figure, .class("strips")) {
        StripChart(
          strip: timeline.strip, window: timeline.window, id: "throttled",
          duration: .saturating(seconds: timeline.strip.requests.map(\.at).max() ?? 0)
        ).markup
      }
    }
  }

  @BlockBuilder private var replays: [Block] {
    if !result.replays.isEmpty {
      Block.lead("The simulation repeats the demand with clients that wait for Retry-After and retry at most twice.")
      ReportTable(
        "Policies with clients that retry",
        [
          .text("policy"), .number("sessions refused"), .number("sessions failed"), .number("attempts refused"),
          .number("delay, p95"),
        ],
        result.replays.map { replay in
          [.name(replay.policy)] + [replay.refused, replay.failed, replay.refusals].map { .text(TuneText.share($0)) }
            + [.text(Figure.time(.saturating(seconds: replay.delay)).text)]
        })
    }
  }

  @BlockBuilder private var front: [Block] {
    let front = result.points.filter(\.isOnFront).sorted {
      ($0.key, $0.abusePerMinute, $0.throttled) < ($1.key, $1.abusePerMinute, $1.throttled)
    }
    if !front.isEmpty {
      Block.lead("The table lists the Pareto-optimal policies of each key.")
      let table = ReportTable(
        "Pareto-optimal policies",
        [
          .text("key"), .text("policy"), .text("algorithm"), .number("throttled"), .number("abuser, per minute"),
          .number("abuser, sustained"),
        ],
        front.map { point in
          [
            .name(TuneText.key(point.key)), .text(TuneText.policy(point)), .text(TuneText.algorithm(point.algorithm)),
            .text(TuneText.share(point.throttled)), .text(Figure.digits(point.abusePerMinute)),
            .text(Figure.rate(point.abusePerSecond).text),
          ]
        }, noun: "policy")
      Block.table(table, most: Self.rowsShown)
    }
  }
}

/// The throttled share over quota and window, a table shaded by its numbers.
struct ThrottleHeat {
  let result: TuneResult

  private static let mapsShown = 4
  private static let columnsShown = 14

  @BlockBuilder var blocks: [Block] {
    let maps = result.heatMaps.filter { !$0.allowances.isEmpty && !$0.windows.isEmpty }.prefix(Self.mapsShown)
    if !maps.isEmpty {
      Block.lead(
        "Each cell shows the share of legitimate sessions that the policy throttles. Cells with a stronger colour throttle more sessions."
      )
      for map in maps { table(map) }
    }
  }

  private func table(_ map: TuneResult.HeatMap) -> Markup {
    let every = max((map.allowances.count + Self.columnsShown - 1) / Self.columnsShown, 1)
    let columns = map.allowances.indices.filter { $0.isMultiple(of: every) }
    return element(
      .div, .class("heat-table"), Attribute("tabindex", "0"), Attribute("role", "region"),
      .label("Heat map, \(TuneText.key(map.key)), \(TuneText.algorithm(map.algorithm))")
    ) {
      element(.table) {
        element(.caption, text: "\(TuneText.key(map.key)), \(TuneText.algorithm(map.algorithm))")
        element(.thead) {
          element(.tr) {
            element(.th, .scope(.col), text: "window")
            for column in columns { element(.th, .scope(.col), text: map.allowances[column].text) }
          }
        }
        element(.tbody) {
          for (row, window) in map.windows.enumerated() where map.throttled.indices.contains(row) {
            element(.tr) {
              element(.th, .scope(.row), text: Figure.time(.saturating(seconds: window)).text)
              for column in columns where map.throttled[row].indices.contains(column) {
                cell(map.throttled[row][column])
              }
            }
          }
        }
      }
    }
  }

  private func cell(_ share: Double) -> Markup {
    element(.td, .class(share > 0 ? "h\(Self.step(share))" : ""), text: share > 0 ? TuneText.share(share) : "0")
  }

  /// Six steps: below 0.1%, 0.3%, 1%, 3%, 10%, and more.
  static func step(_ share: Double) -> Int {
    [0.001, 0.003, 0.01, 0.03, 0.1].firstIndex { share < $0 } ?? 5
  }
}

/// The format of policies and shares on the tuning page.
enum TuneText {
  /// `30 per 60 s`, `burst 40, 4/s`
  static func policy(_ point: TuneResult.Point) -> String {
    point.algorithm == LimitAlgorithm.tokenBucket.rawValue
      ? "burst \(point.allowance), \(Figure.rate(point.abusePerSecond).text)"
      : "\(point.allowance.text) per \(Figure.time(.saturating(seconds: point.window)).text)"
  }

  static func algorithm(_ name: String) -> String { LimitAlgorithm(rawValue: name)?.text ?? name }

  /// `per address`, `per user`, `for all clients together`
  static func key(_ key: String) -> String { key == "global" ? "for all clients together" : "per \(key)" }

  /// A share of one, per cent.
  static func share(_ share: Double) -> String {
    if share > 0, share < 0.0001 { return "<0.01%" }
    return Figure.percent(share, share < 0.1 ? 2 : 1).text
  }

  /// The stylesheet's class of a key, so that it looks the same in every chart.
  static func style(_ key: String) -> String {
    switch key {
    case "address": "p50"
    case "user": "p99"
    default: "p95"
    }
  }
}
