import ArgumentParser
import Foundation
import Murphy

/// The shard that a process runs.
struct ShardArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run shard K of N: every N-th session of the plan. Without it, Slurm, Kubernetes, GitLab, GitHub or MPI set it.",
      valueName: "K/N"))
  var shard: String?
  @Option(
    help: ArgumentHelp(
      "Start time of all shards: 2026-11-24T06:00:00Z, or +30s@FILE in a folder that all shards share.",
      valueName: "time"))
  var startAt: String?

  @Option(
    help: ArgumentHelp(
      "Upload shard.json.gz to this URL: a presigned URL, or one of an S3 bucket. A URL that ends with a slash gets the name shard-K-of-N.json.gz.",
      valueName: "url"))
  var upload: String?

  func validate() throws {
    if let upload, !Gate.isStore(upload) {
      throw ValidationError("--upload takes an http or https URL, found \"\(URLCredentials.masked(upload))\".")
    }
  }

  /// Nil for a whole run.
  ///
  /// - Throws: `GateError.usage` for an invalid shard.
  func choice(_ environment: [String: String], isQuiet: Bool) throws(GateError) -> ShardChoice? {
    do throws(ShardError) {
      var choice = try shard.map { text throws(ShardError) in try ShardChoice(text) }
      if choice == nil { choice = try Launcher.shard(environment) }
      let start = try startAt.map { text throws(ShardError) in try StartTime(text) }
      guard var choice else {
        guard start == nil && upload == nil else {
          throw ShardError("\(start == nil ? "--upload" : "--start-at") is for shards of a run: add --shard K/N")
        }
        return nil
      }
      choice.start = start
      guard choice.of > 1 else { return choice }
      if shard == nil { Console.error("Shard \(choice.number) of \(choice.of) (\(choice.origin)).") }
      if start == nil, !isQuiet {
        Console.error("Shard \(choice.number) of \(choice.of) starts immediately. Give all shards the same --start-at.")
      }
      return choice
    } catch {
      throw .usage("\(error).")
    }
  }
}
