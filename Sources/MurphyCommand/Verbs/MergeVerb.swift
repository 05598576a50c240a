import ArgumentParser
import Foundation
import Murphy

struct MergeVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merges the results of shards and computes the verdict.",
    discussion: """
      Example: murphy merge reports/shard-* --report reports/whole. Each is the report folder of a \
      `murphy run --shard K/N`, or the shard.json.gz in it. The scenario and its contract are read again, from the \
      paths that the shards used.
      """)

  @Argument(help: "Report folders of shards, their shard.json.gz files, or URLs of such files.") var results: [String]
  @Option(
    name: .shortAndLong, help: "Also write the result to this file; with .gz, a file that can be merged again.")
  var output: String?
  @Option(help: "Folder for the reports; by default reports/<time>-<scenario>.") var report: String?
  @Option(help: "Path of the scenario, if it moved since the shards ran.") var scenario: String?
  @Option(help: "Shards that may be missing, late or cut short; the verdict covers the rest.") var tolerateLost = 0
  @Flag(help: "Responses that could not be checked fail the run.") var failOnUnchecked = false
  @Flag(name: .shortAndLong, help: "Print all tables, findings and checks, not only the decision.")
  var verbose = false
  @Option(
    parsing: .upToNextOption,
    help: "Results of earlier runs, files or folders. A slowdown compared with them fails the run.")
  var baseline: [String] = []
  @Option(help: "PEM file of the certificate authorities to trust, for shards that are read from a URL.") var cacert:
    String?
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
    do {
      let earlier = try baseline.isEmpty ? nil : Baseline(baseline)
      var options = MergeOptions()
      options.scenario = scenario
      options.tolerated = tolerateLost
      options.environment = ProcessInfo.processInfo.environment
      options.failOnUnchecked = failOnUnchecked
      options.keepsShards = output?.hasSuffix(".gz") == true
      options.authorities = cacert
      merged = try await Gate.merge(results, options)
      result = earlier?.judge(merged.result) ?? merged.result
    } catch {
      throw Failure.report(error)
    }
    var folder = ReportFolder(path: report, scenario: result.run.scenario)
    do {
      try folder.prepare()
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
