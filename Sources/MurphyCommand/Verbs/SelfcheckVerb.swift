import ArgumentParser
import Foundation
import Murphy

struct SelfcheckVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selfcheck",
    abstract: "Measures the accuracy of murphy on this machine, in less than a minute.",
    discussion: """
      A server inside murphy imposes known delays, freezes, rate limits and schema errors. Murphy compares its \
      measurements with the known values. The verdict is PASS if the measurements are accurate on this machine. If a \
      measurement is not accurate, the verdict is INVALID (exit status 4), and murphy prints the failed checks and how \
      to correct them. Murphy sends all requests to the loopback address.
      """)

  @Option(
    help: "The number of threads that generate load. By default, murphy uses one thread for each processor core.")
  var loops: Int?
  @Option(help: "The seed of the delays that the server imposes, and of the sessions.") var seed: UInt64?
  @Option(help: "The number of random test cases for recording and merging histograms.") var trials = 1_000
  @OptionGroup(title: "Output") var output: OutputArguments
  @Flag(help: "Print only the measurements, and no progress.") var quiet = false

  func validate() throws {
    try LoadArguments.check(loops: loops)
    try Self.check("--trials", trials, in: 0...1_000_000)
  }

  func run() async throws {
    output.warn()
    var check = Selfcheck(seed: seed ?? UInt64.random(in: 1..<(1 << 53)))
    check.loops = loops
    check.trials = trials
    let stop = StopSignal()
    let interrupts = Interrupts(stop, endingWith: Ending(.invalid), "Stopping.")
    let result: SelfcheckResult
    do {
      result = try await check.run(stop: stop) { part in
        if !quiet { Console.error("murphy selfcheck: \(part.rawValue)") }
      }
    } catch  where stop.isRequested {
      Console.error("murphy: \(error)")
      Console.printMasked(Verdict.invalid.word + "\n")
      throw Verdict.invalid.exitStatus
    } catch {
      throw Failure.report(error)
    }
    withExtendedLifetime(interrupts) {}
    try output.write(result)
    if output.form == .text { Console.printMasked(SelfcheckReport(result).document.terminal(width: Console.width)) }
    throw result.verdict.exitStatus
  }
}
