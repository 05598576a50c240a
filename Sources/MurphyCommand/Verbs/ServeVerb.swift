import ArgumentParser
import Foundation
import Murphy

/// `murphy serve SYSTEM`: a reference API on a real SQLite database.
struct ServeVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "A reference API on a real SQLite database, with faults on request.")

  @Argument(help: "The system: \(ReferenceServer.systems.joined(separator: ", ")).")
  var system: String?
  @Option(help: "Address to listen on.") var host = "127.0.0.1"
  @Option(help: "Port to listen on; 0 for any free one.") var port = "8080"
  @OptionGroup var reference: ReferenceArguments
  @Flag(help: "List the faults with one line each.") var faults = false

  func run() async throws {
    if faults {
      Console.print(Self.faultList)
      return
    }
    guard let system else {
      Console.error("Name the system to serve. Known: \(ReferenceServer.systems.joined(separator: ", ")).")
      throw ExitStatus.usage
    }
    let server: RunningServer
    do {
      var options = try reference.options()
      try options.set("host", to: host)
      try options.set("port", to: port)
      server = try await ReferenceServer.start(system: system, options: options)
    } catch let error as ServerError {
      Console.error("murphy serve: \(error.description)")
      throw ExitStatus.usage
    }
    Console.print("\(system) on \(server.url); stop with Ctrl-C.")
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    let interrupts = Interrupts { stop.yield() }
    for await _ in stops { break }
    withExtendedLifetime(interrupts) {}
    await server.stop()
  }

  static var faultList: String {
    let width = Fault.all.map(\.name.count).max() ?? 0
    return FaultFamily.allCases.map { family in
      let lines = Fault.all.filter { $0.family == family }.map {
        "  " + $0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.summary
      }
      return "\(family.rawValue)\n" + lines.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
