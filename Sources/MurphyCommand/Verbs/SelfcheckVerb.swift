import ArgumentParser
import Foundation
import Murphy

struct SelfcheckVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selfcheck",
    abstract: "States murphy's own error bars on this machine, in under a minute.",
    discussion: """
      A server inside murphy imposes delays that are known, stands still, limits and breaks a schema; what murphy reports \
      is held against that. PASS where its figures can be trusted here, otherwise INVALID (status 4) with what fails and \
      what to do. Nothing leaves the loopback.
      """)

  @Option(help: "Threads that make load; by default one per core.") var loops: Int?
  @Option(help: "The seed of delays and sessions.") var seed: UInt64?
  @Option(help: "Random cases of recording and merging.") var trials = 1_000
  @OptionGroup(title: "Output") var output: OutputArguments
  @Flag(help: "No progress, only the figures.") var quiet = false

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
    if output.form == .text { Console.print(String(SelfcheckText(result).text.dropLast())) }
    throw result.verdict.exitStatus
  }
}
