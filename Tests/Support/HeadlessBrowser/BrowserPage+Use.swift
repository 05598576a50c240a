import Foundation
import MurphySchema

/// A page in use: what a person does, and what the browser keeps of it.
extension BrowserPage {
  /// Types into the part of the page that has the focus, a key at a time.
  package func type(_ text: String) throws {
    for character in text {
      try call("Input.dispatchKeyEvent", ["type": "char", "text": .string(String(character))])
    }
  }

  /// Clicks with the mouse on the middle of what a selector of CSS finds.
  package func click(_ selector: String) throws {
    let place = try value(
      """
      (() => {
        const box = document.querySelector(\(JSONValue.string(selector).text)).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      })()
      """)
    for type in ["mousePressed", "mouseReleased"] {
      try call(
        "Input.dispatchMouseEvent",
        [
          "type": .string(type), "x": place[0] ?? 0, "y": place[1] ?? 0, "button": "left", "clickCount": 1,
        ])
    }
  }

  /// Waits until an expression of JavaScript is true, for a minute at most.
  package func wait(until expression: String) throws {
    for _ in 0..<3000 {
      if try value(expression) == true { return }
      usleep(20_000)
    }
    throw Chromium.Failure(description: "the page never came so far: \(expression)")
  }

  /// What the page has sent since it was opened, as the developer tools save it; the events are then forgotten.
  ///
  /// - Parameter isSanitized: without cookies and credentials.
  package func takeArchive(isSanitized: Bool) throws -> JSONValue {
    // A response to this comes after all events of what the page did before.
    _ = try value("0")
    let events = browser.takeEvents()
    return NetworkArchive(events, isSanitized: isSanitized) { method, request in
      try? call(method, ["requestId": .string(request)])
    }.archive
  }
}
