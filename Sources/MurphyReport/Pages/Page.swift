/// An HTML document around a body: the head, the style, and a policy that forbids it the network.
struct Page {
  var title: String
  var body: Markup

  var text: String { "<!doctype html>\n" + document.html + "\n" }

  private var document: Markup {
    element(.html, Attribute("lang", "en")) {
      element(.head) {
        element(.meta, Attribute("charset", "utf-8"))
        element(.meta, Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
        element(.meta, Attribute("name", "color-scheme"), Attribute("content", "light dark"))
        element(.meta, Attribute("http-equiv", "Content-Security-Policy"), Attribute("content", Self.policy))
        element(.title, text: title)
        element(.link, Attribute("rel", "icon"), Attribute("href", "data:,"))
        element(.style) {
          for sheet in Stylesheet.all { Markup.literal(sheet) }
        }
      }
      element(.body) {
        body
        element(.script) { Markup.literal(Script.copyButtons) }
      }
    }
  }

  /// Nothing is loaded, and no script runs but the one whose hash this is.
  private static let policy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '\(Script.hash)'; base-uri 'none'; form-action 'none'"

  /// Links to the sections.
  static func contents(_ sections: [(id: String, title: String)]) -> Markup {
    element(.nav, .label("Contents")) {
      element(.ul) {
        for section in sections {
          element(.li) { element(.a, .anchor(section.id), text: section.title) }
        }
      }
    }
  }
}

/// The one script of a report: it adds a copy button to each command. Without it nothing is missing.
enum Script {
  /// SHA-256 of the text below, as the page's Content-Security-Policy names it; a browser test holds them together.
  static let hash = "sha256-YL90TilMI7QcKgdqP5Sz068di68e7R3eieh69AyvnyI="

  static let copyButtons: StaticString = """
    "use strict";
    for (const command of document.querySelectorAll(".command pre")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(command.textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(command);
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
      command.before(button);
    }
    """
}
