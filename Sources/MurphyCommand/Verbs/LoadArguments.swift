import ArgumentParser
import Foundation
import Murphy

/// The options of a run: target, seed, size of the load.
struct LoadArguments: ParsableArguments {
  @Option(
    help: "The API to test: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String?
  @Option(
    help: "The seed of all random values. Two runs with the same seed plan the same sessions.") var seed: UInt64?
  @Option(
    help: """
      Generate the same uuid(), email() and long string() values as an earlier run with this salt. The report \
      shows the salt.
      """) var salt: UInt64?
  @Option(
    help: "Multiply arrival rates and numbers of users by this factor. The factor 0.5 halves the load.") var load = 1.0
  @Option(help: "Shorten or lengthen the load to this duration, such as 30s or 2m.") var duration: String?
  @Option(help: "Replace the scenario's load by this number of concurrent users.") var users: Int?
  @Option(
    help: """
      The maximum number of sessions that each user runs. --iterations requires a closed load (a number of users).
      """) var iterations: Int?
  @Option(help: "Run only sessions with this name (repeatable).", completion: Candidates.sessions) var only: [String] =
    []
  @Option(
    help: "The number of threads that generate load. By default, murphy uses one thread for each processor core.")
  var loops: Int?
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments

  func validate() throws {
    try Self.check(load: load, users: users)
    try Self.check("--iterations", iterations, in: 1...1_000_000_000)
    try Self.check(loops: loops)
  }

  static func check(load: Double, users: Int?) throws {
    if !(load > 0 && load <= 100_000) {
      throw ValidationError("--load takes a factor above 0 and up to 100000, found \(load).")
    }
    try check("--users", users, in: 1...1_000_000)
  }

  /// - Throws: if loops would have to share cores.
  static func check(loops: Int?) throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    guard let loops, !(1...cores ~= loops) else { return }
    throw ValidationError(
      "--loops takes a number from 1 to \(cores) (the number of cores of this machine), found \(loops)."
        + (loops > cores
          ? " Threads that share a core delay each other. For more load, use more machines (--shard K/N)." : ""))
  }

  func options(reference: ReferenceArguments) throws -> RunOptions {
    var options = RunOptions()
    options.target = try target.map { text throws(GateError) in try Target(text) }
    options.seed = seed
    options.salt = salt
    options.load = load
    options.duration = try duration.map { text in
      guard case .success(let length) = Quantity.duration(text), length > .zero, length <= TimeOption.day * 366
      else {
        throw GateError.usage(
          "--duration takes a time such as 30s or 2m, at most a year, found \"\(text)\"."
            + (Double(text) == nil ? "" : " Did you mean \"\(text)s\"?"))
      }
      return length
    }
    options.users = users
    options.iterations = iterations
    options.only = only
    options.loops = loops
    certificates.apply(to: &options)
    try credentials.apply(to: &options)
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    return options
  }
}
