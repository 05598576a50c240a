/// An HTML document around a body: the head, the style, and a policy that forbids network access.
struct Page {
  var title: String
  var body: Markup
  var script = Script.report

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

  /// Nothing is loaded, and only scripts with these hashes run.
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

/// The script of a page, and its SHA-256 as the page's Content-Security-Policy states it. A browser test compares them.
struct Script: Sendable {
  var text: StaticString
  /// The hashes of this script and of the scripts that may follow it.
  var allowed: [String]
  /// True if the script may connect to the server of the page.
  var connects = false

  private static let reportHash = "sha256-tNd/HWFJQMLIhgN/DQlR8zRND6/3dOyu/3PtWFTNuK4="

  /// Adds interaction: copy buttons of commands, values of charts under the pointer and by arrow keys, and filters of
  /// findings. The page is complete without it.
  static let report = Script(
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
      const tip = document.createElement("output");
      tip.className = "tip";
      tip.hidden = true;
      document.body.append(tip);
      for (const chart of document.querySelectorAll("svg[data-plot]")) {
        const source = chart.dataset.readings ?? chart.previousElementSibling?.dataset.readings;
        if (!source) continue;
        const readings = source.split("\\n").map((line) => {
          const cut = line.indexOf(" ");
          return [Number(line.slice(0, cut)), line.slice(cut + 1)];
        });
        const [left, right, width] = chart.dataset.plot.split(" ").map(Number);
        let shown = 0;
        const show = (index) => {
          shown = Math.min(Math.max(index, 0), readings.length - 1);
          const box = chart.getBoundingClientRect();
          tip.textContent = readings[shown][1];
          tip.hidden = false;
          const middle = box.left + (left + readings[shown][0] * (right - left)) / width * box.width;
          const most = document.documentElement.clientWidth - tip.offsetWidth;
          tip.style.left = `${scrollX + Math.max(0, Math.min(middle - tip.offsetWidth / 2, most))}px`;
          tip.style.top = `${scrollY + box.top - tip.offsetHeight}px`;
        };
        const hide = () => { tip.hidden = true; };
        chart.tabIndex = 0;
        chart.addEventListener("focus", () => show(shown));
        chart.addEventListener("blur", hide);
        chart.addEventListener("pointerleave", hide);
        chart.addEventListener("pointermove", (event) => {
          const box = chart.getBoundingClientRect();
          const share = ((event.clientX - box.left) / box.width * width - left) / (right - left);
          const far = (index) => Math.abs(readings[index][0] - share);
          show(readings.reduce((nearest, _, index) => far(index) < far(nearest) ? index : nearest, 0));
        });
        chart.addEventListener("keydown", (event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (step) { show(shown + step); event.preventDefault(); }
        });
      }
      const found = [...document.querySelectorAll("#findings [data-severity]")];
      if (found.length > 4) {
        const bar = document.createElement("div");
        bar.className = "filters";
        bar.setAttribute("role", "search");
        const search = document.createElement("input");
        search.type = "search";
        const count = document.createElement("output");
        const apply = () => {
          const words = search.value.toLowerCase();
          const choices = [...bar.querySelectorAll("select")];
          for (const one of found) {
            one.hidden = !one.textContent.toLowerCase().includes(words)
              || choices.some((choice) => choice.value && one.dataset[choice.name] !== choice.value);
          }
          count.textContent = `${found.filter((one) => !one.hidden).length} of ${found.length}`;
        };
        const add = (name, control) => {
          const label = document.createElement("label");
          label.append(name, control);
          control.addEventListener("input", apply);
          bar.append(label);
        };
        add("Search", search);
        for (const name of ["severity", "family", "operation"]) {
          const values = [...new Set(found.map((one) => one.dataset[name]).filter(Boolean))].sort();
          if (values.length < 2) continue;
          const choice = document.createElement("select");
          choice.name = name;
          choice.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
          add(name[0].toUpperCase() + name.slice(1), choice);
        }
        bar.append(count);
        document.querySelector("#findings h2").after(bar);
        apply();
      }
      """, allowed: [reportHash])

  /// Writes the server's updates into the page of a running test, and the final report over all of it.
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
      """, allowed: ["sha256-vzz+4h0/h8Hfxedq8i3YlFg0ZQPjxqGPb7tPzVZSef4=", reportHash], connects: true)
}
