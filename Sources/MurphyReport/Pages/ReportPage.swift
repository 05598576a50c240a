/// A report as data: what its header says, and its sections. All pages are drawn of it by one renderer.
struct ReportPage {
  struct Section {
    /// The anchor, unique in the page.
    var id: String
    var title: String
    /// What the contents call it; nil for its title.
    var entry: String?
    /// A section without content is left out.
    var content: Markup
    var isFolded = false
  }

  struct KeyFigure {
    var name: String
    var value: Markup
    var isLong: Bool
    var meaning: String?

    /// - Parameter value: nil for one that is not known.
    init(_ name: String, _ value: String?, _ meaning: String? = nil) {
      self.init(name, Figure(value ?? "–"), meaning)
    }

    init(_ name: String, _ figure: Figure, _ meaning: String? = nil) {
      (self.name, value, self.meaning) = (name, figure.markup, meaning)
      isLong = figure.text.count > Self.mostCharacters
    }

    private static let mostCharacters = 9
  }

  /// Of the window.
  var title: String
  /// The style of the header: that of a verdict, or `tuning` for what has none.
  var style = "tuning"
  /// What the report is of, next to the name of the program.
  var kicker: String
  /// `PASS`; nil for a report without a verdict.
  var word: String?
  var name: String
  /// The decision in a sentence.
  var answer = Markup.nothing
  var reasons: [Markup] = []
  var next: [(name: String, value: Markup)] = []
  var figures: [KeyFigure] = []
  var sections: [Section] = []
  /// Whether links to the sections stand before them.
  var hasContents = true
  var footer: String?

  /// The whole document; it needs no network and no script.
  var text: String { Page(title: title, body: body).text }

  var body: Markup {
    let shown = sections.filter { !$0.content.isEmpty }
    return .group([
      header,
      hasContents ? Page.contents(shown.map { ($0.id, $0.entry ?? $0.title) }) : .nothing,
      element(.main) { for section in shown { Self.markup(section) } },
      footer.map { text in element(.footer) { element(.p, text: text) } } ?? .nothing,
    ])
  }

  private static func markup(_ section: Section) -> Markup {
    element(.section, .id(section.id), Attribute("aria-labelledby", section.id + "-heading")) {
      let heading = element(.h2, .id(section.id + "-heading"), text: section.title)
      if section.isFolded {
        element(.details, .class("folded")) {
          element(.summary) { heading }
          section.content
        }
      } else {
        heading
        section.content
      }
    }
  }

  private var header: Markup {
    element(.header, .class("verdict \(style)")) {
      element(.p, .class("kicker")) {
        element(.strong, text: "murphy")
        " · \(kicker)"
      }
      element(.h1) {
        if let word {
          element(.span, .class("word"), text: word)
          element(.span, .class("spoken"), text: ": ")
        }
        element(.span, .class("scenario"), text: name)
      }
      if !answer.isEmpty { element(.p, .class("answer")) { answer } }
      if !reasons.isEmpty {
        element(.ul, .class("reasons")) { for reason in reasons { element(.li) { reason } } }
      }
      if !next.isEmpty {
        element(.dl, .class("next")) {
          for (name, value) in next {
            element(.dt, text: name)
            element(.dd) { value }
          }
        }
      }
      if !figures.isEmpty {
        element(.dl, .class("figures")) { for figure in figures { Self.markup(figure) } }
      }
    }
  }

  private static func markup(_ figure: KeyFigure) -> Markup {
    element(.div) {
      element(.dt, text: figure.name)
      element(.dd, .class(figure.isLong ? "long" : "")) {
        figure.value
        if let meaning = figure.meaning { element(.small, text: meaning) }
      }
    }
  }
}

/// Names with their values.
func facts(_ rows: [(String, Markup)], _ style: String = "facts") -> Markup {
  element(.dl, .class(style)) {
    for (name, value) in rows {
      element(.div) {
        element(.dt, text: name)
        element(.dd) { value }
      }
    }
  }
}

func facts(_ rows: [(String, String)]) -> Markup { facts(rows.map { ($0.0, .text($0.1)) }) }
