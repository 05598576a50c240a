import ArgumentParser
import Foundation
import Murphy

/// How a scenario is run: target, seed, size of the load.
struct LoadArguments: ParsableArguments {
  @Option(help: "A URL, or embedded:SYSTEM for a reference API that murphy starts itself.") var target: String?
  @Option(help: "The seed of all draws; the same seed gives the same plan.") var seed: UInt64?
  @Option(help: "Repeats the values of uuid() and long string() of the run that recorded this salt.") var salt: UInt64?
  @Option(help: "Multiplies arrival rates and users.") var load = 1.0
  @Option(help: "Stretches or shortens the load to this length: 30s, 2m.") var duration: String?
  @Option(help: "Replaces the load by this many users at once.") var users: Int?
  @Option(help: "Only this session; may be given several times.") var only: [String] = []
  @Option(help: "Threads that make load; by default one per core.") var loops: Int?
  @Option(help: "PEM file of the certificate authorities to trust.") var cacert: String?

  func validate() throws {
    if !(load > 0 && load <= 100_000) {
      throw ValidationError("--load takes a factor above 0 and up to 100000, found \(load).")
    }
    if let users, !(1...1_000_000 ~= users) {
      throw ValidationError("--users takes a number from 1 to 1000000, found \(users).")
    }
    if let loops, !(1...256 ~= loops) { throw ValidationError("--loops takes a number from 1 to 256, found \(loops).") }
  }

  func options(reference: ReferenceArguments) throws -> RunOptions {
    var options = RunOptions()
    options.target = try target.map { text throws(GateError) in try Target(text) }
    options.seed = seed
    options.salt = salt
    options.load = load
    options.duration = try duration.map { text in
      guard case .success(let seconds) = Quantity.duration(text), seconds > 0, seconds <= 366 * 86_400
      else {
        throw GateError.usage("--duration takes a time such as 30s or 2m, at most a year, found \"\(text)\".")
      }
      return .seconds(seconds)
    }
    options.users = users
    options.only = only
    options.loops = loops
    options.authorities = cacert
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    return options
  }
}
