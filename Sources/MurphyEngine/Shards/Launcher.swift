/// Launchers that start a program several times and pass each process its number by environment variables.
package struct Launcher: Sendable {
  package var name: String
  /// The number of the process.
  let rank: String
  let ranksFrom: Int
  /// The number of processes.
  let size: String
  /// Equal in all processes of a job.
  let job: [String]
  /// A variable without which the others do not refer to processes.
  var needs: String?

  /// In the order of the search: a launcher within a job of another launcher takes precedence.
  package static let all: [Launcher] = [
    // This variable is specific to murphy. GitHub has no variable of its own for a job of a matrix.
    Launcher(
      name: "GitHub", rank: "MURPHY_SHARD_INDEX", ranksFrom: 0, size: "MURPHY_SHARDS",
      job: ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"]),
    Launcher(
      name: "Open MPI", rank: "OMPI_COMM_WORLD_RANK", ranksFrom: 0, size: "OMPI_COMM_WORLD_SIZE",
      job: ["PMIX_NAMESPACE", "SLURM_JOB_ID"]),
    // A batch script also has the variables of the job, and is not one of its tasks.
    Launcher(
      name: "Slurm", rank: "SLURM_PROCID", ranksFrom: 0, size: "SLURM_NTASKS", job: ["SLURM_JOB_ID", "SLURM_STEP_ID"],
      needs: "SLURM_STEP_ID"),
    Launcher(name: "PMI", rank: "PMI_RANK", ranksFrom: 0, size: "PMI_SIZE", job: ["PMI_JOBID"]),
    Launcher(
      name: "Kubernetes", rank: "JOB_COMPLETION_INDEX", ranksFrom: 0, size: "MURPHY_SHARDS", job: ["MURPHY_JOB"]),
    Launcher(
      name: "GitLab", rank: "CI_NODE_INDEX", ranksFrom: 1, size: "CI_NODE_TOTAL",
      job: ["CI_PIPELINE_ID", "CI_JOB_STAGE"]),
  ]

  /// The shard in the environment; nil for a process that was not started by a launcher.
  ///
  /// - Throws: where a number is missing or invalid, so that a run would be repeated instead of divided.
  package static func shard(_ environment: [String: String]) throws(ShardError) -> ShardChoice? {
    for launcher in all {
      guard let rank = environment[launcher.rank], !rank.isEmpty,
        launcher.needs.map({ environment[$0] != nil }) ?? true
      else { continue }
      guard let size = environment[launcher.size], !size.isEmpty else {
        throw ShardError(
          "\(launcher.rank) is set, as \(launcher.name) does for each process of several, and \(launcher.size) is not: set "
            + "\(launcher.size) to the number of processes, or give --shard K/N, or --shard 1/1 for the whole run")
      }
      guard let number = Int(rank).map({ $0 - launcher.ranksFrom + 1 }), let of = Int(size), 1...ShardChoice.most ~= of,
        1...of ~= number
      else {
        throw ShardError(
          "\(launcher.rank) is \"\(rank)\" and \(launcher.size) is \"\(size)\", which is not a valid process number "
            + "(\(launcher.name) counts from \(launcher.ranksFrom)). Give --shard K/N, or --shard 1/1 for the whole run"
        )
      }
      let job = launcher.job.compactMap { environment[$0] }
      return ShardChoice(
        number: number, of: of, origin: "\(launcher.name), \(launcher.rank)=\(rank)",
        job: job.isEmpty ? nil : ([launcher.name] + job).joined(separator: " "))
    }
    return nil
  }
}
