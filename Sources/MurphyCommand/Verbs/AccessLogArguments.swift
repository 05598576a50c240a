import ArgumentParser
import Murphy

/// `--log` and its options: real requests instead of simulated sessions.
struct AccessLogArguments: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      """
      Apply the policies to the requests of this access log, in nginx's format combined or with a JSON object in each \
      line. The file may be compressed with gzip; - stands for standard input.
      """,
      valueName: "file"), completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp(
      """
      The names of the JSON fields, such as time=ts,key=ip,path=uri,method=verb,status=code. The defaults are time, \
      remote_addr, uri, request_method and status. In the format combined, the key is remote_addr or remote_user.
      """,
      valueName: "names"))
  var logFields: String?
  @Option(
    help: ArgumentHelp(
      """
      A client with more requests in a minute counts as abuse. The default is ten times the busiest minute of 95% of \
      all clients, and at least 60.
      """,
      valueName: "requests"))
  var abuse: Int?

  func validate() throws {
    try Self.check("--abuse", abuse, in: 1...1_000_000_000)
    if file == nil, logFields != nil || abuse != nil {
      throw ValidationError("--log-fields and --abuse need --log.")
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
