import MurphyModel

/// What was run, against what, and how to run it again.
struct RunSection: ReportSection {
  static let id = "run"
  static let title = "Run"

  let result: RunResult

  var isFolded: Bool { true }

  var content: Markup? { MurphyReport.facts(facts) }

  private var facts: [(String, Markup)] {
    let run = result.run
    return [
      ("scenario", element(.code, text: run.scenarioFile)),
      (
        "contract",
        .group((run.contractFiles ?? [run.contractFile]).map { file in element(.div) { element(.code, text: file) } })
      ),
      (
        "target",
        .group([
          element(.code, text: run.target),
          run.lookup.map { .text(", name looked up once, in \(Figure.latency($0).text)") } ?? .nothing,
        ])
      ), ("started", .text(run.started)),
      (
        "duration",
        .text(
          Figure.seconds(run.duration).text
            + (run.cutShort
              ? ", cut short"
              : run.lost != nil
                ? ", ended because a budget was lost"
                : run.lostCredentials.map { ", \($0.sentence)" }
                  ?? (run.aborted == nil ? "" : ", ended by the target's silence")))
      ),
      ("load", .group(run.load.map { element(.div, text: $0.text) })), ("seed", element(.code, text: String(run.seed))),
      ("salt", run.salt.map { element(.code, text: String($0)) } ?? .text("none")),
      ("murphy", .text(run.murphy)), ("libcurl", .text(run.libcurl)), ("machine", .text(run.machine)),
    ]
  }
}
