import Foundation
import MurphySchema

/// A page of a Chromium, with the few things that a report is asked about.
package struct BrowserPage {
  package let browser: Chromium
  private let session: String

  package init(_ browser: Chromium) throws {
    self.browser = browser
    let target = try browser.call("Target.createTarget", ["url": "about:blank"])
    let attached = try browser.call(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? .null, "flatten": .bool(true)])
    session = attached["sessionId"]?.string ?? ""
    for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
  }

  @discardableResult
  package func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
    try browser.call(method, parameters, session: session)
  }

  package func show(dark: Bool, width: Int, height: Int) throws {
    let scheme: JSONValue = .object(["name": "prefers-color-scheme", "value": .string(dark ? "dark" : "light")])
    try call("Emulation.setEmulatedMedia", ["features": .array([scheme])])
    try call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)),
        "deviceScaleFactor": .number(JSONNumber(width < 600 ? 2 : 1)), "mobile": .bool(width < 600),
      ])
  }

  /// Opens a file and waits until it is loaded.
  package func open(_ path: String) throws { try open(url: "file://" + path) }

  package func open(url: String) throws {
    try call("Page.navigate", ["url": .string(url)])
    try browser.wait(for: "Page.loadEventFired")
  }

  /// The value of a JavaScript expression.
  package func value(_ expression: String) throws -> JSONValue {
    let answer = try call("Runtime.evaluate", ["expression": .string(expression), "returnByValue": .bool(true)])
    if let exception = answer["exceptionDetails"] {
      throw Chromium.Failure(description: "\(expression): \(exception.text)")
    }
    return answer["result"]?["value"] ?? .null
  }

  /// Waits until what was changed is drawn.
  package func waitForFrames() throws {
    try call(
      "Runtime.evaluate",
      [
        "expression": "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
        "awaitPromise": .bool(true),
      ])
  }

  /// A picture of the first screen, or of the whole page, PNG.
  package func picture(whole: Bool = false) throws -> Data {
    var parameters: JSONObject = ["format": "png"]
    if whole { parameters["captureBeyondViewport"] = .bool(true) }
    let answer = try call("Page.captureScreenshot", parameters)
    return Data(base64Encoded: answer["data"]?.string ?? "") ?? Data()
  }

  /// What the console, the page's scripts and its policy complained about since the last call, and what it loaded.
  package func takeComplaints() throws -> (complaints: [String], requests: [String]) {
    // A response to this comes after all events of what the page did before.
    _ = try value("0")
    let events = browser.takeEvents()
    let complaints = events.compactMap { event -> String? in
      switch event["method"]?.string {
      case "Log.entryAdded": event["params"]?["entry"]?.text
      case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening": event["params"]?.text
      default: nil
      }
    }
    let requests = events.filter { $0["method"]?.string == "Network.requestWillBeSent" }
      .compactMap { $0["params"]?["request"]?["url"]?.string }
    return (complaints, requests)
  }
}
