import ArgumentParser
import Foundation
import Murphy

struct MergeVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merges the results of the shards of a run, and computes the verdict.",
    discussion: """
      Each argument is the report folder of a `murphy run --shard K/N`, or the file shard.json.gz in that folder. \
      Murphy reads the scenario and its contract again, from the paths that the shards used.

      Example: murphy merge reports/shard-* --report reports/whole
      """)

  @Argument(
    help: "The report folders of shards, the files shard.json.gz of shards, or the URLs of such files.") var results:
    [String]
  @Option(
    name: .shortAndLong,
    help: "Also write the result to this file. If the file name ends with .gz, you can merge the file again.")
  var output: String?
  @Option(help: "The folder for the reports. The default folder is reports/<time>-<scenario>.") var report: String?
  @Option(help: "The path of the scenario, if the file was moved after the shards ran.") var scenario: String?
  @Option(
    help: """
      The number of shards that may be missing, late or incomplete. Murphy computes the verdict from the other shards.
      """)
  var tolerateLost = 0
  @Flag(help: "Fail the run if there is a response that murphy could not check.") var failOnUnchecked = false
  @Flag(name: .shortAndLong, help: "Print all tables, findings and checks, instead of only the summary.")
  var verbose = false
  @Option(
    parsing: .upToNextOption,
    help: """
      A folder that keeps the results of runs. If the API is slower than in earlier runs in the folder, the run fails. \
      Murphy creates the folder, and stores the result of each run that does not fail. You can also give results of earlier \
      runs (several files or folders), which murphy only reads.
      """)
  var baseline: [String] = []
  @Option(
    help: """
      The maximum number of results of the scenario in the folder of --baseline. Murphy removes the oldest results. The \
      default is 100.
      """)
  var keep: Int?
  @Option(
    help: "The PEM file with the certificate authorities that murphy trusts when it reads shards from a URL.")
  var cacert: String?
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments

  func validate() throws {
    guard tolerateLost >= 0 else {
      throw ValidationError("--tolerate-lost takes a number of shards, found \(tolerateLost).")
    }
  }

  func run() async throws {
    guardCrash()
    let merged: MergedRun
    var result: RunResult
    var earlier: Baseline?
    do {
      earlier = try Baseline.option(baseline, keep: keep)
      var options = MergeOptions()
      options.scenario = scenario
      options.tolerated = tolerateLost
      options.environment = ProcessInfo.processInfo.environment
      options.failOnUnchecked = failOnUnchecked
      options.keepsShards = output?.hasSuffix(".gz") == true
      options.authorities = cacert
      merged = try await Gate.merge(results, options)
      try earlier?.read(for: merged.result)
      if let warning = earlier?.warning { Console.error("murphy: \(warning)") }
      result = earlier?.judge(merged.result) ?? merged.result
    } catch {
      throw Failure.report(error)
    }
    var folder = ReportFolder(path: report, scenario: result.run.scenario)
    do {
      try folder.prepare()
      earlier?.store(&result, reports: folder.path)
      if let output {
        if output.hasSuffix(".gz") { try merged.write(to: output) } else { try ResultFile.write(result, to: output) }
      }
    } catch {
      throw Failure.report(error, as: .usage)
    }
    let written = folder.write(result)
    GitHubActions.publish(result)
    Console.printMasked(RunOutput(isVerbose: verbose).text(result, report: written))
    throw result.exitStatus
  }

  private func guardCrash() {
    let result = Gate.crashed(file: scenario ?? results.first ?? "")
    var crash = ReportFolder(path: report, scenario: result.run.scenario).crashGuard(result)
    if let output {
      if output.hasSuffix(".gz") { crash.remove(output) } else { crash.write(result, to: output) }
    }
    crash.arm()
  }
}
