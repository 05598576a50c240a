import ArgumentParser
import Murphy

/// `--log` and its options: real requests instead of simulated sessions.
struct AccessLogArguments: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      """
      Apply the policies to the requests of this access log. Each line has the nginx format "combined", or is a JSON \
      object. The log file may be compressed with gzip. Use - for standard input.
      """,
      valueName: "file"), completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp(
      """
      The names of the JSON fields in the log, such as time=ts,key=ip,path=uri,method=verb,status=code. The default \
      names of the fields are time, remote_addr, uri, request_method and status. For the format "combined", use only \
      key=remote_addr or key=remote_user.
      """,
      valueName: "names"))
  var logFields: String?
  @Option(
    help: ArgumentHelp(
      """
      A client that sends more than this number of requests in a minute counts as abusive. By default, murphy counts \
      the requests of each client in its busiest minute, and takes ten times the 95th percentile of these counts, but \
      at least 60.
      """,
      valueName: "requests"))
  var abuse: Int?

  func validate() throws {
    try Self.check("--abuse", abuse, in: 1...1_000_000_000)
    if file == nil, logFields != nil || abuse != nil {
      throw ValidationError("--log-fields and --abuse have an effect only with --log. Add --log FILE.")
    }
  }

  /// - Throws: `GateError.usage` for an unknown field.
  func options(_ file: String) throws(GateError) -> LogTuneOptions {
    var options = LogTuneOptions(file: file)
    if let logFields { options.format = try AccessLog(fields: logFields) }
    options.abuse = abuse
    return options
  }
}
