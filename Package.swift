// swift-tools-version: 6.2
import PackageDescription

// Each module is a target, and names the lower modules that it may import. Tests/ArchitectureTests checks the sources
// against this list. See ARCHITECTURE.md.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Optimised in debug builds too, with assertions: tests judge thousands of simulated limiters and parse large
/// documents. SwiftPM accepts such flags only from the root package and from local ones. So a checkout of a dependency
/// has none.
let quick: [SwiftSetting] =
  Context.packageDirectory.contains("/checkouts/")
  ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Debug builds, and with them the tests, check that no memory is written while it is read. In release builds the check
/// would be a sixth of a request's instructions.
let unchecked: [SwiftSetting] =
  Context.packageDirectory.contains("/checkouts/")
  ? [] : [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// `ExtendingTests` adds the examples of docs/extending.md. For that it needs the internal declarations of these
/// modules, in release builds too.
let extended: [SwiftSetting] =
  Context.packageDirectory.contains("/checkouts/")
  ? [] : [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

/// Tests of a release build test optimised modules. They need no optimisation themselves.
let tested: [SwiftSetting] =
  Context.packageDirectory.contains("/checkouts/")
  ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The modules that each module may import.
nonisolated(unsafe) var seen: [String: [String]] = [:]

/// Adds the modules below the named ones. A target whose types contain their types must be rebuilt when one of them
/// changes. SwiftPM checks only named dependencies.
func visible(_ named: [Target.Dependency]) -> [Target.Dependency] {
  var all = named
  var names: [String] = []
  for case .byNameItem(let name, _) in named { names.append(name) }
  for name in names {
    for other in seen[name] ?? [] where !names.contains(other) {
      names.append(other)
      all.append(.byName(name: other))
    }
  }
  return all
}

/// A Swift module under `Sources`.
func module(
  _ name: String, _ below: [Target.Dependency], _ settings: [SwiftSetting] = [], path: String? = nil,
  resources: [Resource] = []
) -> Target {
  let all = visible(below)
  seen[name] = []
  for case .byNameItem(let other, _) in all where seen[other] != nil { seen[name]?.append(other) }
  return .target(
    name: name, dependencies: all, path: path, resources: resources, swiftSettings: strict + unchecked + settings)
}

/// A program.
func program(
  _ name: String, _ below: [Target.Dependency], _ settings: [SwiftSetting] = [], path: String? = nil
) -> Target {
  .executableTarget(name: name, dependencies: visible(below), path: path, swiftSettings: strict + settings)
}

/// The tests of a module: `Tests/<module>Tests`.
func suite(_ module: String, _ others: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: module + "Tests", dependencies: visible([.byName(name: module), "TestSupport"] + others), exclude: exclude,
    swiftSettings: strict + tested)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let structuredFields = Target.Dependency.product(
  name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
  name: "murphy",
  products: [
    .executable(name: "murphy", targets: ["MurphyCommand"]),
    .library(name: "Murphy", targets: ["Murphy"]),
    .library(name: "MurphySchema", targets: ["MurphySchema"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // C, each wrapped by exactly one module
    .target(name: "CLibcurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CNGHTTP2", linkerSettings: [.linkedLibrary("nghttp2")]),
    .target(name: "CIDN2", linkerSettings: [.linkedLibrary("idn2")]),
    .target(name: "CPCRE2", linkerSettings: [.linkedLibrary("pcre2-8")]),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CLinux"),
    .target(name: "CTerminal"),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CXML", dependencies: ["CLibXML2"]),
    // The headers of libxml2 are in a separate folder, which pkg-config provides.
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    // 0
    module("MurphyModel", []),
    // 1: a validator of JSON Schema, a library of its own
    module("MurphySchema", ["CIDN2", "CPCRE2", "CSimdjson"], quick, resources: [.embedInCode("Metaschemas")]),
    module("MurphyHTTP", ["CLibcurl", "CLinux", "CNGHTTP2", "CZlib", "MurphyModel", heap]),
    // 2
    module("MurphyContract", ["CXML", "MurphyModel", "MurphySchema", yams], quick),
    // 3
    module("MurphyScenario", ["MurphyContract"], extended),
    // 4
    module("MurphyEngine", ["CCrypto", "MurphyHTTP", "MurphyScenario"]),
    module("MurphyJudge", ["MurphyScenario", structuredFields], quick),
    module("MurphyServer", ["MurphyHTTP", "MurphyScenario", hummingbird, grdb]),
    // Reference APIs that only the program serves. The library does not link them.
    module("MurphyExamples", ["MurphyServer", hummingbird, grdb]),
    // 5
    module("MurphyReport", ["CTerminal", "MurphyJudge"], resources: [.embedInCode("Schemas")]),
    module("MurphyProbe", ["MurphyEngine", "MurphyJudge", "MurphyServer"], quick),
    // 6
    module("Murphy", ["MurphyProbe", "MurphyReport", hummingbird], extended),
    // The validator for Bowtie, which compares validators
    module("BowtieHarness", ["MurphySchema"], path: "Sources/Tools/BowtieHarness"),
    // 7
    program("MurphyCommand", ["Murphy", "BowtieHarness", "MurphyExamples", argumentParser], extended),
    // Examples
    // Uses only public declarations, like a user of the library.
    .executableTarget(
      name: "SwiftSession", dependencies: visible(["Murphy"]), packageAccess: false, swiftSettings: strict),
    // Measures the validator, for the bench
    program("SchemaBench", ["MurphySchema"], path: "Sources/Tools/SchemaBench"),
    // Measures the state judge, for the bench
    program("StateBench", ["MurphyJudge"], path: "Sources/Tools/StateBench"),
    // Runs a scenario under valgrind, for the costs of one request
    program("CostBench", ["Murphy"], path: "Sources/Tools/CostBench"),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict + tested),
    // The tools that a test needs, and the tests that measure time
    .target(name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: strict),
    // A server for tests that misbehaves on request
    .target(name: "WildServer", path: "Tests/Support/WildServer", swiftSettings: strict),
    // An API that conforms to its document except for one selectable fault: the test subject of `explore`
    .target(
      name: "Bookshop", dependencies: [hummingbird], path: "Tests/Support/Bookshop", exclude: ["bookshop.yaml"],
      swiftSettings: strict),
    .executableTarget(
      name: "bookshop-server", dependencies: ["Bookshop"], path: "Tests/Support/BookshopServer", swiftSettings: strict),
    // A Chromium in which tests check pages
    .target(
      name: "HeadlessBrowser", dependencies: ["MurphySchema", "TestSupport"], path: "Tests/Support/HeadlessBrowser",
      swiftSettings: strict),
    // The extensions of docs/extending.md
    .testTarget(
      name: "ExtendingTests", dependencies: visible(["Murphy", "MurphyCommand", argumentParser, "TestSupport"]),
      swiftSettings: strict + tested),
    suite("MurphySchema", ["BowtieHarness"], exclude: ["Messages/Goldens"]),
    suite("MurphyHTTP", ["WildServer"]),
    suite("MurphyContract"),
    suite("MurphyScenario", exclude: ["Goldens"]),
    suite("MurphyEngine", ["WildServer"]),
    // The number of random cases in a test
    .target(
      name: "Simulation", dependencies: ["MurphyModel"], path: "Tests/Support/Simulation",
      swiftSettings: strict + quick),
    suite("MurphyModel", ["Simulation"]),
    suite("MurphyJudge", ["Simulation", heap]),
    suite("MurphyServer", ["MurphyExamples"]),
    suite("MurphyProbe", ["Simulation"]),
    suite("MurphyReport", ["HeadlessBrowser", "Simulation"], exclude: ["Goldens", "Schemas"]),
    suite("Murphy", ["Bookshop", "HeadlessBrowser", "WildServer"]),
  ]
)
