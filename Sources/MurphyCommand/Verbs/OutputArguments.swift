import ArgumentParser
import Murphy

/// `--format` and `--output`: what standard output holds, and which file holds the JSON.
struct OutputArguments: ParsableArguments {
  @Option(help: "What standard output holds: text or json.") var format: OutputForm?
  @Option(help: "Write the JSON to this file, too.") var output: String?
  /// The form of earlier versions.
  @Option(help: .hidden) var json: String?

  var form: OutputForm { format ?? (json == "-" ? .json : earlierForm) ?? .text }

  /// The file for the JSON; nil for none.
  var file: String? { json.flatMap { $0 == "-" ? nil : $0 } ?? (earlierForm == nil ? output : nil) }

  /// `--output json` named the form in earlier versions.
  private var earlierForm: OutputForm? { output.flatMap(OutputForm.init(rawValue:)) }

  /// Names the present form of what was given in an earlier one.
  func warn() {
    if let earlierForm {
      Console.error("warning: --output names a file now. Write --format \(earlierForm.rawValue).")
    }
    if let json {
      Console.error("warning: --json is --\(json == "-" ? "format json" : "output FILE") now. Both work.")
    }
  }

  /// Writes all that was found into the file, and on standard output where it holds JSON.
  func write(_ value: some Encodable) throws {
    if let file { try OutputFile.write(value, to: file) }
    if form == .json { try OutputFile.write(value, to: "-") }
  }
}
