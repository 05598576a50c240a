import Foundation
import MurphyReport
import Testing

@Suite("Report files")
struct AtomicFileTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-files-\(UUID().uuidString)").path
    try AtomicFile.makeFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func sentence(_ body: () throws(ReportError) -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func `a file is replaced whole, and no draft stays behind`() throws {
    try withFolder { folder in
      try AtomicFile.write("old", to: folder + "/a")
      try AtomicFile.write("new", to: folder + "/a")
      #expect(try String(contentsOfFile: folder + "/a", encoding: .utf8) == "new")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
    }
  }

  @Test func `a full disk is said, with what to do`() {
    #expect(
      sentence { () throws(ReportError) in try AtomicFile.write("x", to: "/dev/full") }
        == "cannot write /dev/full: no space left on device. Free some space, or choose another path.")
  }

  @Test func `a folder that is missing, or a file in its place, is said`() throws {
    try withFolder { folder in
      #expect(
        sentence { () throws(ReportError) in try AtomicFile.write("x", to: folder + "/no/a") }
          == "cannot write \(folder)/no/a: no such file or directory. Create the folder first, or choose another path."
      )
      #expect(sentence { () throws(ReportError) in try AtomicFile.write("x", to: folder) }.contains("is a directory"))
      try AtomicFile.write("x", to: folder + "/file")
      #expect(
        sentence { () throws(ReportError) in try AtomicFile.makeFolder(folder + "/file/below") }.contains(
          "not a directory"))
      #expect(
        sentence { () throws(ReportError) in try AtomicFile.makeFolder(folder + "/file") }
          == "cannot create the folder \(folder)/file: not a directory. A part of the path is a file, and not a folder. Choose another path."
      )
    }
  }

  @Test func `a run leaves its five files, in a folder made for it`() throws {
    try withFolder { folder in
      let written = try Report.write(Sample.fail, to: folder + "/a/b")
      #expect(
        written.map { $0.split(separator: "/").last ?? "" } == [
          "result.json", "report.html", "junit.xml", "metrics.txt", "summary.md", "findings.sarif",
        ])
      #expect(try ResultFile.read(folder + "/a/b/result.json").verdict == .fail)
    }
  }

  @Test func `one file that cannot be written does not keep the others from being written`() throws {
    try withFolder { folder in
      try AtomicFile.makeFolder(folder + "/report.html")
      #expect(throws: ReportError.self) { try Report.write(Sample.empty, to: folder) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == ["findings.sarif", "junit.xml", "metrics.txt", "report.html", "result.json", "summary.md"])
    }
  }
}
