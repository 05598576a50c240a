import Foundation
import HeadlessBrowser
import MurphyReport
import TestSupport
import Testing

/// The report in a real browser. One Chromium serves the whole suite.
@Suite("Report in a browser", .serialized, .requires(.chromium))
struct BrowserTests {
  private static let widths = [390, 1280]

  @Test func `every report opens without a complaint, in light and in dark, on a phone and on a desk`() throws {
    try withPage { page, folder in
      for (name, result) in Sample.all {
        let file = "\(folder)/\(name).html"
        try AtomicFile.write(HTMLReport(result).text, to: file)
        for dark in [false, true] {
          for width in Self.widths {
            try page.show(dark: dark, width: width, height: width == 390 ? 844 : 900)
            try page.open(file)
            try expectSound(page, "\(name) \(dark ? "dark" : "light") \(width)", width: width, file: file)
          }
        }
      }
    }
  }

  @Test func `the tuning page opens without a complaint, in light and in dark, on a phone and on a desk`() throws {
    try withPage { page, folder in
      let file = "\(folder)/tune.html"
      try AtomicFile.write(TuneReport(TuneSample.result, title: "Votes <b>").document.html, to: file)
      for dark in [false, true] {
        for width in Self.widths {
          try page.show(dark: dark, width: width, height: 900)
          try page.open(file)
          let complaints = try page.takeComplaints().complaints
          #expect(complaints.isEmpty)
          #expect(try page.value("document.documentElement.scrollWidth").int == width)
        }
      }
    }
  }

  @Test func `every comparison and trend opens without a complaint, in light and in dark, on a phone and on a desk`()
    throws
  {
    try withPage { page, folder in
      let pages = CompareSample.all.map { ($0.0, CompareReport($0.1).document.html) }
      let hostile = HostileSample.texts.joined(separator: " ")
      let trends = [("trend", TrendReportTests.sample()), ("trend-hostile", TrendReportTests.sample(hostile))]
      for (name, text) in pages + trends.map({ ($0.0, TrendReport($0.1).document.html) }) {
        let file = "\(folder)/compare-\(name).html"
        try AtomicFile.write(text, to: file)
        for dark in [false, true] {
          for width in Self.widths {
            try page.show(dark: dark, width: width, height: width == 390 ? 844 : 900)
            try page.open(file)
            let complaints = try page.takeComplaints().complaints
            #expect(complaints.isEmpty, "\(name)")
            #expect(try page.value("document.documentElement.scrollWidth").int == width, "\(name)")
          }
        }
      }
    }
  }

  @Test func `the capacity page opens without a complaint, in light and in dark, on a phone and on a desk`() throws {
    try withPage { page, folder in
      let file = "\(folder)/capacity.html"
      try AtomicFile.write(CapacityReport(CapacitySample.result).document.html, to: file)
      for dark in [false, true] {
        for width in Self.widths {
          try page.show(dark: dark, width: width, height: 900)
          try page.open(file)
          let complaints = try page.takeComplaints().complaints
          #expect(complaints.isEmpty)
          #expect(try page.value("document.documentElement.scrollWidth").int == width)
          let verdict = try page.value(
            "document.querySelector('h1 .word').getBoundingClientRect().bottom < innerHeight")
          #expect(verdict.bool == true)
          try page.picture().write(
            to: URL(fileURLWithPath: "\(folder)/capacity-\(dark ? "dark" : "light")-\(width).png"))
        }
      }
    }
  }

  private func expectSound(_ page: BrowserPage, _ which: Comment, width: Int, file: String) throws {
    let (complaints, requests) = try page.takeComplaints()
    #expect(complaints.isEmpty, which)
    let mistakes = try page.mistakes(tellsOnce: !which.rawValue.hasPrefix("hostile"))
    #expect(mistakes.isEmpty, "\(which): \(mistakes)")
    #expect(requests.allSatisfy { $0 == "file://" + file || $0.hasPrefix("data:") }, which)
    #expect(try page.value("document.documentElement.scrollWidth").int == width, which)
    let verdict = try page.value("document.querySelector('h1 .word').getBoundingClientRect().bottom < innerHeight")
    #expect(verdict.bool == true, which)
  }

  @Test func `light and dark are two pictures, and both hold more than a plain page`() throws {
    try withPage { page, folder in
      let file = "\(folder)/fail.html"
      try AtomicFile.write(HTMLReport(Sample.fail).text, to: file)
      var pictures: Set<Data> = []
      for (dark, width) in [(false, 1280), (true, 1280), (false, 390), (true, 390)] {
        try page.show(dark: dark, width: width, height: width == 390 ? 844 : 900)
        try page.open(file)
        let picture = try page.picture()
        #expect(picture.count > 20_000)
        pictures.insert(picture)
        try picture.write(to: URL(fileURLWithPath: "\(folder)/fail-\(dark ? "dark" : "light")-\(width).png"))
      }
      #expect(pictures.count == 4)
    }
  }

  @Test func `hostile texts stay texts: no script runs, no element appears`() throws {
    try withPage { page, folder in
      let file = "\(folder)/hostile.html"
      try AtomicFile.write(HTMLReport(Sample.hostile).text, to: file)
      try page.show(dark: false, width: 1280, height: 900)
      try page.open(file)
      #expect(try page.value("document.title").string?.hasPrefix("FAIL · <script>") == true)
      #expect(try page.value("document.querySelectorAll('script, style').length").int == 2)
      #expect(try page.value("document.querySelectorAll('img, iframe, object, embed, form').length").int == 0)
      #expect(try page.value("document.querySelectorAll('h1').length").int == 1)
      let handlers =
        "[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length"
      #expect(try page.value(handlers).int == 0)
      let links = "[...document.querySelectorAll('[href]')].every(e => /^(#|data:,)/.test(e.getAttribute('href')))"
      #expect(try page.value(links).bool == true)
    }
  }

  @Test func `headings descend one level at a time, ids are unique, tables and drawings have names`() throws {
    try withPage { page, folder in
      for (name, result) in Sample.all {
        let file = "\(folder)/\(name).html"
        try AtomicFile.write(HTMLReport(result).text, to: file)
        try page.open(file)
        let which = Comment(rawValue: name)
        let steps =
          "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1]).every((n, i, all) => i == 0 ? n == 1 : n <= all[i - 1] + 1)"
        #expect(try page.value(steps).bool == true, which)
        let ids = "(ids => new Set(ids).size == ids.length)([...document.querySelectorAll('[id]')].map(e => e.id))"
        #expect(try page.value(ids).bool == true, which)
        // Landmarks with equal names cannot be told apart (axe-core: landmark-unique).
        let regions =
          "(names => new Set(names).size == names.length)([...document.querySelectorAll('[role=region]')].map(e => e.getAttribute('aria-label')))"
        #expect(try page.value(regions).bool == true, which)
        let scopes = "[...document.querySelectorAll('th')].every(e => e.scope == 'row' || e.scope == 'col')"
        #expect(try page.value(scopes).bool == true, which)
        #expect(
          try page.value("[...document.querySelectorAll('table')].every(e => e.caption?.textContent)").bool == true,
          which)
        let named =
          "[...document.querySelectorAll('svg')].every(e => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')?.split(' ').every(id => document.getElementById(id)?.textContent))"
        #expect(try page.value(named).bool == true, which)
        let anchors =
          "[...document.querySelectorAll('a')].every(e => document.getElementById(e.getAttribute('href').slice(1)))"
        #expect(try page.value(anchors).bool == true, which)
      }
    }
  }

  @Test func `each command has a button that copies or selects it`() throws {
    try withPage { page, folder in
      let file = "\(folder)/fail.html"
      try AtomicFile.write(HTMLReport(Sample.fail).text, to: file)
      try page.open(file)
      let commands = try page.value("document.querySelectorAll('.command pre').length").int
      #expect(commands == 2)
      #expect(try page.value("document.querySelectorAll('.command button').length").int == commands)
      let answer = try page.call(
        "Runtime.evaluate",
        [
          "expression":
            "document.querySelector('.command button').click(), new Promise(done => setTimeout(() => done(document.querySelector('.command button').textContent), 200))",
          "awaitPromise": .bool(true), "returnByValue": .bool(true),
        ])
      #expect(["Copied", "Selected"].contains(answer["result"]?["value"]?.string))
    }
  }

  @Test func `on paper the evidence is unfolded`() throws {
    try withPage { page, folder in
      let file = "\(folder)/fail.html"
      try AtomicFile.write(HTMLReport(Sample.fail).text, to: file)
      try page.open(file)
      let folded =
        "[...document.querySelectorAll('details.evidence:not([open]) pre')].map(e => e.checkVisibility({contentVisibilityAuto: true})).join()"
      #expect(try page.value(folded).string?.contains("true") == false)
      try page.call("Emulation.setEmulatedMedia", ["media": "print"])
      try page.waitForFrames()
      #expect(try page.value(folded).string?.contains("false") == false)
      let paper = try page.call("Page.printToPDF", ["printBackground": .bool(true)])
      #expect(Data(base64Encoded: paper["data"]?.string ?? "")?.starts(with: Data("%PDF".utf8)) == true)
    }
  }

  /// A page of a fresh Chromium, and a folder: a temporary one, or `MURPHY_PICTURES` to look at afterwards.
  private func withPage(_ body: (BrowserPage, String) throws -> Void) throws {
    let kept = ProcessInfo.processInfo.environment["MURPHY_PICTURES"]
    let folder =
      kept ?? FileManager.default.temporaryDirectory.appendingPathComponent("murphy-report-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(atPath: folder) } }
    let browser = try Chromium()
    defer { browser.close() }
    try body(try BrowserPage(browser), folder)
  }
}
