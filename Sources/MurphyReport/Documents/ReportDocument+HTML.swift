import MurphyModel

extension ReportDocument {
  /// The whole page; it needs no network and no script.
  package var html: String { Page(title: title, body: body).text }

  var body: Markup {
    let shown = sections.filter { $0.media.contains(.page) }.map { ($0, $0.blocks.html) }.filter { !$0.1.isEmpty }
    return .group([
      header,
      hasContents ? Page.contents(shown.map { ($0.0.id, $0.0.entry ?? $0.0.title) }) : .nothing,
      element(.main) { for (section, content) in shown { Self.markup(section, content) } },
      footer.map { text in element(.footer) { element(.p, text: text) } } ?? .nothing,
    ])
  }

  private static func markup(_ section: Section, _ content: Markup) -> Markup {
    element(.section, .id(section.id), Attribute("aria-labelledby", section.id + "-heading")) {
      let heading = element(.h2, .id(section.id + "-heading"), text: section.title)
      if section.isFolded {
        element(.details, .class("folded")) {
          element(.summary) { heading }
          content
        }
      } else {
        heading
        content
      }
    }
  }

  private var header: Markup {
    element(.header, .class("verdict \(verdict?.rawValue ?? "tuning")")) {
      element(.p, .class("kicker")) {
        element(.strong, text: "murphy")
        " · \(kicker)"
      }
      element(.h1) {
        if let word = word ?? verdict?.word {
          element(.span, .class("word"), text: word)
          element(.span, .class("spoken"), text: ": ")
        }
        element(.span, .class("scenario"), text: name)
      }
      if !answer.html.isEmpty { element(.p, .class("answer")) { answer.html } }
      if !reasons.isEmpty {
        element(.ul, .class("reasons")) { for reason in reasons { element(.li) { reason.html } } }
      }
      if !next.isEmpty {
        element(.dl, .class("next")) {
          for (name, value) in next {
            element(.dt, text: name)
            element(.dd) { value.html }
          }
        }
      }
      if !tiles.isEmpty {
        element(.dl, .class("figures")) { for tile in tiles { Self.markup(tile) } }
      }
    }
  }

  private static func markup(_ tile: Tile) -> Markup {
    element(.div) {
      element(.dt, text: tile.name)
      element(.dd, .class(tile.isLong ? "long" : "")) {
        tile.value
        if let meaning = tile.meaning { element(.small, text: meaning) }
      }
    }
  }
}

extension Phrase {
  var html: Markup { markup ?? .prose(text) }
}

extension [Block] {
  var html: Markup { .group(map(\.html)) }
}

extension Block {
  @MarkupBuilder fileprivate var html: Markup {
    switch self {
    case .text(let words, let style): Markup.element(.p, style.isEmpty ? [] : [.class(style)], words.html)
    case .heading(let text): element(.h3, text: text)
    case .list(let items, let most, let style): Self.list(items, most, style)
    case .facts(let rows, let style):
      element(.dl, .class(style)) {
        for (name, value) in rows {
          element(.div) {
            element(.dt, text: name)
            element(.dd) { value.html }
          }
        }
      }
    case .table(let table, let most): table.markup(most: most)
    case .multiples(let charts, let size):
      element(.div, .class("multiples")) { for chart in charts { element(.figure) { chart.svg(size) } } }
    case .panels(let charts, let style, let caption):
      Markup.element(
        .figure, style.isEmpty ? [] : [.class(style)],
        .group(
          charts.map { $0.responsive(height: $1) }
            + [caption.map { words in element(.figcaption) { words.html } }]
            .compactMap(\.self)))
    case .code(let text, _): element(.pre) { element(.code, text: text) }
    case .fold(let title, let style, let id, let blocks):
      Markup.element(
        .details, (style.isEmpty ? [] : [.class(style)]) + (id.map { [.id($0)] } ?? []),
        .group([element(.summary) { title.html }, blocks.html]))
    case .finding(let article): article.markup
    case .drawing(let markup): markup
    }
  }

  @MarkupBuilder private static func list(_ items: [Item], _ most: Int, _ style: String) -> Markup {
    if !items.isEmpty {
      element(.ul, .class(style)) {
        for item in items.prefix(most) {
          element(.li) {
            item.words.html
            if let command = item.command { element(.pre, text: command) }
          }
        }
      }
      if items.count > most { element(.p, .class("cut"), text: "and \(items.count - most) more") }
    }
  }
}
