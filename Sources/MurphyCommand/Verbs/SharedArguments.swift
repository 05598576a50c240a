import ArgumentParser
import Foundation
import Murphy
import MurphyContract
import MurphyModel

/// `--format` and `--output`: the content of standard output, and the file for the JSON.
struct OutputArguments: ParsableArguments {
  @Option(help: "The format of the standard output: text or json.") var format: OutputForm?
  @Option(help: "Also write the result as JSON to this file.") var output: String?
  /// The form of earlier versions.
  @Option(help: .hidden) var json: String?

  var form: OutputForm { format ?? (json == "-" ? .json : earlierForm) ?? .text }

  /// The file for the JSON; nil for none.
  var file: String? { json.flatMap { $0 == "-" ? nil : $0 } ?? (earlierForm == nil ? output : nil) }

  /// `--output json` named the form in earlier versions.
  private var earlierForm: OutputForm? { output.flatMap(OutputForm.init(rawValue:)) }

  /// The result would be lost after a long run.
  func validate() throws {
    guard let file, file != "-" else { return }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else {
      throw ValidationError("cannot write \(file): the folder \(folder) does not exist. Create it first.")
    }
  }

  /// Names the current form of an option from an earlier version.
  func warn() {
    if let earlierForm {
      Console.error("warning: --output takes a file name. To choose the format, use --format \(earlierForm.rawValue).")
    }
    if let json {
      Console.error(
        "warning: --json is an old name of --\(json == "-" ? "format json" : "output FILE"). Both names work.")
    }
  }

  /// Writes the whole result into the file, and on standard output if it has JSON.
  func write(_ value: some Encodable) throws {
    if let file { try OutputFile.write(value, to: file) }
    if form == .json { try OutputFile.write(value, to: "-") }
  }
}

/// `--cacert`, `--cert` and `--key`: the trusted authorities and the client certificate in TLS handshakes.
struct CertificateArguments: ParsableArguments {
  @Option(help: "The PEM file with the certificate authorities that murphy trusts.") var cacert: String?
  @Option(help: "The PEM file with the client certificate that murphy sends to the target.") var cert: String?
  @Option(
    help:
      """
      The PEM file with the private key of the client certificate. Use --key if the file of --cert does not contain \
      the private key. Set the passphrase of the private key in the environment variable MURPHY_KEY_PASSPHRASE.
      """
  )
  var key: String?

  func validate() throws {
    if key != nil, cert == nil { throw ValidationError("--key has an effect only with --cert. Add --cert FILE.") }
  }

  func apply(to options: inout RunOptions) { (options.authorities, options.certificate) = (cacert, certificate) }

  /// A search that ends at a target.
  func search(at target: Target?, _ headers: [HeaderField]) -> DocumentSearch {
    var search = DocumentSearch()
    search.headers = headers
    (search.target, search.authorities, search.certificate) = (target, cacert, certificate)
    return search
  }

  var certificate: ClientCertificate? {
    cert.map {
      ClientCertificate(file: $0, key: key, passphrase: ProcessInfo.processInfo.environment["MURPHY_KEY_PASSPHRASE"])
    }
  }
}

/// Options for a duration: seconds, or a number with its unit.
enum TimeOption {
  static let day = Duration.seconds(86_400)

  /// - Parameters:
  ///   - text: `90`, `90s`, `10m`.
  ///   - option: `--max-seconds`.
  /// - Returns: a duration above 0.
  /// - Throws: `GateError.usage` for an invalid duration.
  static func duration(_ text: String, _ option: String, atMost most: Duration = day) throws(GateError) -> Duration {
    guard case .success(let duration) = Quantity.looseDuration(text), duration > .zero, duration <= most else {
      throw .usage("\(option) takes a time such as 90s or 10m, at most \(most.notation), found \"\(text)\".")
    }
    return duration
  }
}

/// Completions that a shell offers for a word, in addition to options and files.
enum Candidates {
  /// Scenarios and OpenAPI documents.
  static let documents = CompletionKind.file(extensions: ["yaml", "yml", "json"])
  static let results = CompletionKind.file(extensions: ["json", "gz"])
  static let systems = CompletionKind.list(ReferenceAPI.names)
  static let targets = CompletionKind.list(ReferenceAPI.names.map { "embedded:" + $0 })
  static let faults = CompletionKind.list(
    Set(ReferenceAPI.all.flatMap(\.faults).map(\.name)).sorted())

  /// Operations of the contract or scenario on the command line.
  static let operations = CompletionKind.custom { words, _, prefix in
    for file in files(words) {
      let contract = (try? await Gate.load(file, options: RunOptions()))?.contract ?? (try? Contract.load(file))
      if let contract { return contract.operations.map(\.id).filter { $0.hasPrefix(prefix) } }
    }
    return []
  }

  /// Sessions of the scenario on the command line.
  static let sessions = CompletionKind.custom { words, _, prefix in
    for file in files(words) {
      guard let gate = try? await Gate.load(file, options: RunOptions()) else { continue }
      return gate.scenario.sessions.map(\.name).filter { $0.hasPrefix(prefix) }
    }
    return []
  }

  private static func files(_ words: [String]) -> [String] {
    words.filter { word in
      [".yaml", ".yml", ".json"].contains(where: word.hasSuffix) && FileManager.default.fileExists(atPath: word)
    }
  }
}

extension ParsableArguments {
  /// - Throws: for a number outside the range of an option.
  static func check(_ option: String, _ number: Int?, in range: ClosedRange<Int>) throws {
    guard let number, !(range ~= number) else { return }
    throw ValidationError(
      "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), found \(number).")
  }
}

/// The shard that a process runs.
struct ShardArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run shard K of N. Each shard runs every N-th session of the plan. By default, murphy reads K and N from the \
      environment variables of Slurm, Kubernetes, GitLab, GitHub or MPI.
      """,
      valueName: "K/N"))
  var shard: String?
  @Option(
    help: ArgumentHelp(
      """
      The time at which all shards start, such as 2026-11-24T06:00:00Z. With +30s@FILE, the first shard adds 30 \
      seconds to the current time and writes the result to FILE. The other shards read the start time from FILE.
      """,
      valueName: "time"))
  var startAt: String?

  @Option(
    help: ArgumentHelp(
      """
      Upload the file shard.json.gz, which murphy merge reads, to this URL: a presigned URL, or the URL of an S3 \
      bucket. If the URL ends with a slash, murphy adds the name shard-K-of-N.json.gz.
      """,
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
          throw ShardError(
            "\(start == nil ? "--upload" : "--start-at") has an effect only for a shard of a run: add --shard K/N")
        }
        return nil
      }
      choice.start = start
      guard choice.of > 1 else { return choice }
      if shard == nil { Console.error("Shard \(choice.number) of \(choice.of) (\(choice.origin)).") }
      if start == nil, !isQuiet {
        Console.error(
          """
          Shard \(choice.number) of \(choice.of) starts immediately. To start all shards together, use the same \
          --start-at for all shards.
          """)
      }
      return choice
    } catch {
      throw .usage("\(error).")
    }
  }
}
