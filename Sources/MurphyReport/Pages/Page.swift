/// An HTML document around a body: the head, the style, and a policy that forbids it the network.
struct Page {
  var title: String
  var body: Markup
  var script = Script.copyButtons

  var text: String { "<!doctype html>\n" + document.html + "\n" }

  private var document: Markup {
    element(.html, Attribute("lang", "en")) {
      element(.head) {
        element(.meta, Attribute("charset", "utf-8"))
        element(.meta, Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
        element(.meta, Attribute("name", "color-scheme"), Attribute("content", "light dark"))
        element(.meta, Attribute("http-equiv", "Content-Security-Policy"), Attribute("content", policy))
        element(.title, text: title)
        element(.link, Attribute("rel", "icon"), Attribute("href", "data:,"))
        element(.style) {
          for sheet in Stylesheet.all { Markup.literal(sheet) }
        }
      }
      element(.body) {
        body
        element(.script) { Markup.literal(script.text) }
      }
    }
  }

  /// Nothing is loaded, and no script runs but those whose hashes these are.
  private var policy: String {
    let scripts = script.allowed.map { "'\($0)'" }.joined(separator: " ")
    return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src \(scripts); "
      + (script.connects ? "connect-src 'self'; " : "") + "base-uri 'none'; form-action 'none'"
  }

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

/// The script of a page, and its SHA-256 as the page's Content-Security-Policy names it; a browser test holds them
/// together.
struct Script: Sendable {
  var text: StaticString
  /// Of this script, and of those that may come after it.
  var allowed: [String]
  /// Whether it may ask the server that the page came from.
  var connects = false

  private static let copyHash = "sha256-YL90TilMI7QcKgdqP5Sz068di68e7R3eieh69AyvnyI="

  /// Adds a copy button to each command of a report. Without it nothing is missing.
  static let copyButtons = Script(
    text: """
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
      """, allowed: [copyHash])

  /// Writes what the server sends into the page of a run that goes on, and at the end the report over all of it.
  static let live = Script(
    text: """
      "use strict";
      const live = document.getElementById("live");
      const events = new EventSource("events");
      events.addEventListener("part", (event) => { live.innerHTML = event.data; });
      events.addEventListener("report", (event) => {
        events.close();
        document.open();
        document.write(event.data);
        document.close();
      });
      events.onerror = () => { live.dataset.state = "lost"; };
      """, allowed: ["sha256-vzz+4h0/h8Hfxedq8i3YlFg0ZQPjxqGPb7tPzVZSef4=", copyHash], connects: true)
}
