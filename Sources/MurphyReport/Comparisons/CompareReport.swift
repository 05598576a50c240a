import MurphyCompare
import MurphyModel

/// The page of `murphy compare`: is the candidate slower, by how much, and what could have been seen; drawn from the
/// result alone.
package struct CompareReport: Sendable {
  package let result: CompareResult

  package init(_ result: CompareResult) { self.result = result }

  /// The whole document; like a run's report it needs no network and no script of its own.
  package var text: String {
    let sections = sections.filter { !$0.content.isEmpty }
    return Page(
      title: "\(result.verdict.word) · \(result.scenario) · comparison",
      body: .group([
        header,
        Page.contents(sections.map { ($0.id, $0.title) }),
        element(.main) { for section in sections { Self.markup(section) } },
        element(.footer) { element(.p, text: "murphy compare · \(result.format)") },
      ])
    ).text
  }

  private struct Section {
    var id: String
    var title: String
    var content: Markup
  }

  private var sections: [Section] {
    let tables = CompareTables(result: result)
    return [
      Section(id: "change", title: "Change", content: ChangeCharts(result: result).markup),
      Section(id: "numbers", title: "Numbers", content: tables.operations),
      Section(
        id: "groups", title: result.mode == .live ? "Group by group" : "Run by run",
        content: GroupCharts(result: result).markup),
      Section(id: "distribution", title: "Distribution", content: CompareCurves(result: result).markup),
      Section(id: "findings", title: "Findings", content: tables.findings),
      Section(id: "beside", title: "Coverage and limits", content: tables.beside),
      Section(id: "design", title: "How it was measured", content: CompareDesignPart(result: result).markup),
      Section(id: "words", title: "Words", content: CompareWords.markup),
    ]
  }

  private static func markup(_ section: Section) -> Markup {
    element(.section, .id(section.id), Attribute("aria-labelledby", section.id + "-heading")) {
      element(.h2, .id(section.id + "-heading"), text: section.title)
      section.content
    }
  }

  private var header: Markup {
    element(.header, .class("verdict \(result.verdict.rawValue)")) {
      element(.p, .class("kicker")) {
        element(.strong, text: "murphy")
        " · comparison\(result.base.machine.map { " · " + $0 } ?? "")"
      }
      element(.h1) {
        element(.span, .class("word"), text: result.verdict.word)
        element(.span, .class("spoken"), text: ": ")
        element(.span, .class("scenario"), text: result.scenario)
      }
      element(.p, .class("answer"), text: answer)
      if !result.reasons.isEmpty {
        element(.ul, .class("reasons")) { for reason in result.reasons { element(.li, text: reason) } }
      }
      element(.dl, .class("next")) {
        for (name, side) in [("Base", result.base), ("Candidate", result.candidate)] {
          element(.dt, text: name)
          element(.dd, text: sources(side))
        }
      }
      element(.dl, .class("figures")) {
        figure("requests, base", Figure.count(result.base.requests).text)
        figure("requests, candidate", Figure.count(result.candidate.requests).text)
        if let design = result.design {
          figure("groups", Figure.count(design.groups.count).text)
          figure("time", Figure.seconds(design.duration).text)
        } else {
          figure("runs, base", Figure.count(result.base.sources.count).text)
          figure("runs, candidate", Figure.count(result.candidate.sources.count).text)
        }
        figure("findings, new", Figure.count(result.findings.new.count).text)
      }
    }
  }

  private var answer: String {
    switch result.verdict {
    case .pass: "The candidate is not slower: a slowdown beyond the margin is ruled out for all that was compared."
    case .fail:
      result.operations.contains { $0.rows.contains { $0.verdict == .fail } }
        ? "The candidate is worse than the base." : "The candidate shows what the base does not."
    case .noData: "Not decided: neither is a slowdown shown, nor is one beyond the margin ruled out."
    case .invalid, .shard: "No verdict on the candidate: these numbers are not those of the API."
    }
  }

  private func sources(_ side: CompareSide) -> String {
    let more = side.sources.count - 3
    return side.sources.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private func figure(_ name: String, _ value: String) -> Markup {
    element(.div) {
      element(.dt, text: name)
      element(.dd, .class(value.count > 8 ? "long" : ""), text: value)
    }
  }
}

extension CompareRow {
  /// The style of a row's verdict, and of one that decides nothing.
  var style: String {
    switch verdict {
    case .fail: "broken"
    case .pass: "kept"
    case .noData, .notTested: "none"
    case nil: "shown"
    }
  }
}
