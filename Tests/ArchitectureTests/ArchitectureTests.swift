import Foundation
import Testing

/// The rules of ARCHITECTURE.md that the compiler does not enforce.
@Suite struct ArchitectureTests {
  /// Each module and the modules that it may import; what is missing here may not be imported.
  static let mayImport: [String: Set<String>] = [
    "MurphyModel": ["Histogram"],
    "MurphySchema": ["CIDN2", "CPCRE2", "CSimdjson"],
    "MurphyHTTP": ["CLibcurl", "CLinux", "CNGHTTP2", "CZlib", "MurphyModel"],
    "MurphyContract": ["CXML", "CYaml", "MurphyModel", "MurphySchema"],
    "MurphyScenario": ["MurphyContract", "MurphyModel", "MurphySchema"],
    "MurphyEngine": ["CCrypto", "MurphyContract", "MurphyHTTP", "MurphyModel", "MurphyScenario", "MurphySchema"],
    "MurphyJudge": ["MurphyContract", "MurphyModel", "MurphyScenario", "MurphySchema", "RawStructuredFieldValues"],
    "MurphyServer": ["GRDB", "Hummingbird"],
    "MurphyServer/Recording": [
      "Hummingbird", "MurphyContract", "MurphyHTTP", "MurphyModel", "MurphyScenario", "MurphySchema",
    ],
    "MurphyServer/Targets": ["MurphyHTTP", "MurphyModel", "MurphySchema"],
    "MurphyExamples": ["GRDB", "Hummingbird", "MurphyModel", "MurphyServer"],
    "MurphyReport": ["CTerminal", "MurphyContract", "MurphyJudge", "MurphyModel", "MurphySchema"],
    "MurphyProbe": [
      "MurphyContract", "MurphyEngine", "MurphyHTTP", "MurphyJudge", "MurphyModel", "MurphyScenario", "MurphySchema",
      "MurphyServer",
    ],
    "Murphy": [
      "Hummingbird", "MurphyContract", "MurphyEngine", "MurphyHTTP", "MurphyJudge", "MurphyModel", "MurphyProbe",
      "MurphyReport", "MurphyScenario", "MurphySchema", "MurphyServer",
    ],
    "MurphyCommand": [
      "ArgumentParser", "BowtieHarness", "Murphy", "MurphyContract", "MurphyExamples", "MurphyJudge", "MurphyModel",
      "MurphyProbe", "MurphyReport", "MurphyScenario", "MurphySchema", "MurphyServer",
    ],
  ]

  /// Open to every module: the standard library's companions and what comes with Hummingbird.
  static let everywhere: Set<String> = [
    "Foundation", "FoundationNetworking", "FoundationEssentials", "Dispatch", "Glibc", "Synchronization", "Collections",
    "DequeModule", "HeapModule", "OrderedCollections",
  ]

  static let serverOnly: Set<String> = [
    "HTTPTypes", "NIOHTTPTypesHTTP1", "NIOCore", "NIOPosix", "NIOHTTP1", "HummingbirdCore",
    "HummingbirdRouter", "Logging",
    "ServiceLifecycle",
    "NIOFoundationCompat", "NIOConcurrencyHelpers",
  ]

  @Test(arguments: mayImport.keys.sorted()) func `imports point down`(owner: String) throws {
    let allowed = try #require(Self.mayImport[owner])
    // A folder with a line of its own is held to that line.
    let inner = Self.mayImport.keys.filter { $0.hasPrefix(owner + "/") }
    let files = try Self.swiftFiles(under: "Sources/\(owner)").filter { file in
      !inner.contains { file.path.contains("/Sources/\($0)/") }
    }
    #expect(!files.isEmpty, "\(owner) has no sources")
    for file in files {
      for module in Self.imports(in: try String(contentsOf: file, encoding: .utf8)) {
        let fine =
          allowed.contains(module) || Self.everywhere.contains(module)
          || (allowed.contains("Hummingbird") && Self.serverOnly.contains(module))
        #expect(fine, "\(file.lastPathComponent) of \(owner) imports \(module), which is not below it")
      }
    }
  }

  @Test func `every module is listed`() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/Sources")
      .filter { $0.hasPrefix("Murphy") }
    #expect(Set(modules).subtracting(Self.mayImport.keys) == [])
  }

  /// The plain conversions end the process for a number that does not fit, and servers and files send such numbers.
  @Test func `numbers are converted with bounds`() throws {
    let wrong = [
      #"(?<![\w.])U?Int(8|16|32|64)?\(([^()]|\([^()]*\))*\.rounded\("#, #"(?<![\w.])U?Int(8|16|32|64)?\(Double\("#,
      #"Duration\.seconds\((?![\d_.]+\))"#, #"(?<![\w)\]])\.seconds\((?![\d_. *]+\)|let |min\()"#,
    ]
    // What `.seconds` means there is not a duration, or its bounds stand beside it.
    let others = ["Saturation.swift", "HTTPDate.swift", "Figure.swift"]
    for file in try Self.swiftFiles(under: "Sources")
    where !Self.isReferenceServer(file) && !others.contains(file.lastPathComponent) {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for (number, line) in lines.enumerated() where line.contains("Int") || line.contains(".seconds(") {
        guard !line.contains("saturating: "), !line.contains("exactly: ") else { continue }
        let found = wrong.contains { line.range(of: $0, options: .regularExpression) != nil }
        #expect(
          !found, "\(file.lastPathComponent), line \(number + 1): write Int(saturating:), Duration.saturating(seconds:)"
        )
      }
    }
  }

  /// The reference APIs read requests of tests alone; the recording proxy and the targets beside them do not.
  static func isReferenceServer(_ file: URL) -> Bool {
    file.path.contains("/MurphyExamples/")
      || file.path.contains("/MurphyServer/")
        && !["Recording", "Targets"].contains { file.path.contains("/MurphyServer/\($0)/") }
  }

  /// Scenarios declare other rejections than 429, and messages are for people.
  @Test func `a rejection is recognised by one rule, and a finding by its data`() throws {
    func places(of pattern: String, under folders: [String]) throws -> [String] {
      let pattern = try Regex(pattern)
      return try folders.flatMap(Self.swiftFiles).flatMap { file in
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.contains(pattern) }
          .map { _ in file.lastPathComponent }
      }
    }
    let ofLoads = ["Model", "Scenario", "Engine", "Judge"].map { "Sources/Murphy\($0)" }
    #expect(try places(of: #"[!=]= ?429\b|\bcase 429\b"#, under: ofLoads) == ["LimitPolicy.swift"])
    #expect(try places(of: #"message\.has(Pre|Suf)fix\(""#, under: ["Sources"]) == [])
    #expect(try places(of: #"rawValue\.prefix \{ \$0 != "\." \}"#, under: ["Sources"]) == ["FindingRule.swift"])
  }

  @Test func `files stay small`() throws {
    // Metaschemas are other people's documents, kept in one piece.
    let long = try Self.swiftFiles(under: "Sources").filter { !$0.path.contains("/Metaschemas/") }.filter {
      try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).count > 400
    }
    #expect(long.map(\.lastPathComponent) == [])
  }

  @Test func `every unchecked mark says why`() throws {
    for file in try Self.swiftFiles(under: "Sources") {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated()
      where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
        let before = number > 0 ? lines[number - 1].trimmingCharacters(in: .whitespaces) : ""
        #expect(before.hasPrefix("//"), "\(file.lastPathComponent):\(number + 1) gives no reason on the line before")
      }
    }
  }

  /// A section that a comment cites is in this repository, under that number.
  @Test func `cited sections exist`() throws {
    let citation = try Regex(#"docs/([a-z-]+\.md)\s(?:\s*///? )?§(\d+(?:\.\d+)*)"#)
    var cited = 0
    for file in try Self.swiftFiles(under: "Sources") + Self.swiftFiles(under: "Tests") {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(
        !text.contains("shared/" + "ALGORITHMS") && !text.contains("shared/" + "conformance"),
        "\(file.lastPathComponent) cites a file outside of the repository")
      for match in text.matches(of: citation) {
        let (name, number) = (String(match[1].substring ?? ""), String(match[2].substring ?? ""))
        let document = try String(contentsOf: Self.root.appending(path: "docs/\(name)"), encoding: .utf8)
        let headings = document.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
          $0.drop { $0 == "#" || $0 == " " }
        }
        #expect(
          headings.contains { $0.hasPrefix(number + " ") || $0.hasPrefix(number + ". ") },
          "\(file.lastPathComponent) cites docs/\(name) §\(number), which is not there")
        cited += 1
      }
    }
    #expect(cited > 10)
  }

  /// Documents and scripts that cite a source file or folder cite one that exists.
  @Test func `cited paths exist`() throws {
    let citation = try Regex(
      #"(?:^|[\s`"'(])(?:Sources/|Tests/)?(Murphy[A-Za-z]*/[A-Za-z0-9_+/-]+(?:\.(?:swift|docc|json))?)"#)
    var cited = 0
    var scripts = try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/.ci").map { ".ci/\($0)" }
    scripts += try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/docs").map { "docs/\($0)" }
    scripts += ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "Makefile", "Tests/run"]
    // It shows files that a reader adds.
    for name in scripts where name != "docs/extending.md" {
      guard let text = try? String(contentsOf: Self.root.appending(path: name), encoding: .utf8) else { continue }
      for match in text.matches(of: citation) {
        let path = String(match[1].substring ?? "")
        let places = ["Sources/\(path)", "Sources/\(path).swift", "Tests/\(path)", "Tests/\(path).swift"]
        #expect(
          places.contains { FileManager.default.fileExists(atPath: Self.root.path + "/" + $0) },
          "\(name) cites \(path), which does not exist")
        cited += 1
      }
    }
    #expect(cited > 15)
  }

  @Test func `the readme is short`() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func swiftFiles(under folder: String) throws -> [URL] {
    let base = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }.sorted()
      .map { base.appending(path: $0) }
  }

  static func imports(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first,
        first.hasPrefix("@") || ["public", "package", "internal", "private"].contains(first)
      {
        words.removeFirst()
      }
      guard words.count >= 2, words[0] == "import" else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let path = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      return path.split(separator: ".").first.map(String.init)
    }
  }
}
