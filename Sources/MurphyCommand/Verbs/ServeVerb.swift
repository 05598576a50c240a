import ArgumentParser
import Foundation
import Murphy
import Synchronization

struct ServeVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Starts a reference API with an SQLite database and with selectable faults.")

  @Argument(help: "The reference API: \(ReferenceAPI.names.joined(separator: ", ")).", completion: Candidates.systems)
  var system: String?
  @Option(help: "The address on which the reference API listens.") var host = "127.0.0.1"
  @Option(help: "The port on which the reference API listens. The value 0 selects a free port.") var port = "8080"
  @OptionGroup var reference: ReferenceArguments
  @Flag(help: "List all reference APIs, one on each line.") var list = false
  @Flag(help: "List the faults of the reference API, or of all reference APIs, one on each line.") var faults = false

  func run() async throws {
    if list {
      Console.print(Self.systemList)
      return
    }
    if faults {
      Console.print(try faultList())
      return
    }
    guard let system else {
      Console.error(
        "murphy serve needs the name of a reference API. Choose one of: \(ReferenceAPI.names.joined(separator: ", ")).")
      throw ExitStatus.usage
    }
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    let isServing = Mutex(false)
    // Before the server runs, there is nothing to close, and the look-up of a host cannot be cancelled.
    let interrupts = Interrupts {
      if isServing.withLock(\.self) { stop.yield() } else { Foundation._exit(ExitStatus.invalid.rawValue) }
    }
    let server: RunningServer
    do {
      var options = try reference.options()
      try options.set("host", to: host)
      try options.set("port", to: port)
      options.spanEndpoint = ProcessInfo.processInfo.environment["OTEL_EXPORTER_OTLP_ENDPOINT"]
      server = try await ReferenceAPI(named: URLCredentials.masked(system)).start(options)
    } catch let error as ServerError {
      Console.error("murphy serve: \(error.description)")
      throw ExitStatus.usage
    }
    isServing.withLock { $0 = true }
    Console.print("\(system) on \(server.url); stop with Ctrl-C.")
    for await _ in stops { break }
    withExtendedLifetime(interrupts) {}
    await server.stop()
  }

  static var systemList: String {
    let width = ReferenceAPI.names.map(\.count).max() ?? 0
    return ReferenceAPI.all.map { api in
      let name = api.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
      let gap = String(repeating: " ", count: width + 2)
      return "\(name)\(api.summary)\n\(gap)\(api.contract), \(api.faults.count) faults"
    }.joined(separator: "\n")
  }

  private func faultList() throws -> String {
    let apis: [ReferenceAPI]
    do {
      apis = try system.map { [try ReferenceAPI(named: URLCredentials.masked($0))] } ?? ReferenceAPI.all
    } catch let error as ServerError {
      Console.error("murphy serve: \(error.description)")
      throw ExitStatus.usage
    }
    let own = apis.map { ($0.name, $0.ownFaults) }
    return (own + [("every system", Fault.common)]).map(Self.section).joined(separator: "\n\n")
  }

  /// The faults below the name of their owner, by family.
  private static func section(_ owner: String, _ faults: [Fault]) -> String {
    let width = faults.map(\.name.count).max() ?? 0
    let families = FaultFamily.allCases.map { family in (family, faults.filter { $0.family == family }) }
    return "\(owner)\n"
      + families.filter { !$0.1.isEmpty }.map { family, faults in
        let lines = faults.map {
          "    " + $0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.summary
        }
        return "  \(family.rawValue)\n" + lines.joined(separator: "\n")
      }.joined(separator: "\n")
  }
}

/// The reference API's own options, for `serve` and for embedded targets.
struct ReferenceArguments: ParsableArguments {
  @Option(
    name: .customLong("fault"),
    help: "Enable this fault in the reference API (repeatable). murphy serve --faults lists all faults.",
    completion: Candidates.faults)
  var faultNames: [String] = []
  @Option(help: "The SQLite file of the reference API, or \"memory\" for a database in memory.") var database: String?
  @Option(
    help: """
      The algorithm of the reference API's rate limits: fixed, fixed-aligned, sliding-log, sliding-counter, \
      token-bucket.
      """)
  var limiter: String?
  @Option(help: "\"off\" disables all rate limits of the reference API.") var limits: String?
  @Option(help: "Replace a documented rate limit of the reference API, such as voteLaw=30/60s (repeatable).")
  var limit: [String] = []
  @Option(
    help: """
      Multiply all rate-limit time windows of the reference API by this factor. The factor 0.1 makes the time windows \
      ten times shorter.
      """) var timeScale: String?
  @Option(
    help: """
      The rate-limit headers of the reference API: none, x-ratelimit, x-ratelimit-epoch, laravel, draft-3, draft-7 or \
      draft-10.
      """)
  var rateHeaders: String?
  @Option(help: "The number of threads of the reference API.") var threads: String?
  @Option(help: "The seed of the generated data of the reference API.") var dataSeed: String?

  @Option(help: "The time in milliseconds that a worker of the reference API needs for each request.") var work: String?
  @Option(
    help: """
      The time in milliseconds that a worker needs for one request in 20. The other requests take the time of --work.
      """)
  var workTail: String?
  @Option(
    help: """
      The number of workers. Each worker processes one request at a time. The capacity is the number of workers \
      divided by the time of --work.
      """)
  var workers: String?

  func options() throws -> ReferenceOptions {
    var options = ReferenceOptions()
    for fault in faultNames { try options.set("fault", to: fault) }
    for text in limit { try options.set("limit", to: text) }
    let single = [
      ("database", database), ("limiter", limiter), ("limits", limits), ("time-scale", timeScale),
      ("rate-headers", rateHeaders), ("threads", threads), ("seed", dataSeed), ("work", work),
      ("work-tail", workTail), ("workers", workers),
    ]
    for (name, value) in single {
      if let value { try options.set(name, to: value) }
    }
    return options
  }
}
