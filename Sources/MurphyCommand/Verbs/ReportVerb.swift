import ArgumentParser
import Foundation
import Murphy

struct ReportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Generates a report from a result file, and prints it on standard output.")

  @Argument(help: "A result.json file, or the report folder that contains it.", completion: Candidates.results)
  var result: String?
  @Option(help: "Format of the report: \(ReportFormat.all.map(\.name).joined(separator: ", ")).") var format = "html"
  @Option(help: "Write the report to this file instead of standard output.") var output: String?
  @Flag(help: "Print the JSON Schema of result.json, and do nothing else.") var schema = false

  func run() throws {
    if schema {
      Console.printRaw(ResultFile.schema)
      return
    }
    guard let wanted = ReportFormat.all.first(where: { $0.name == format }) else {
      let known = ReportFormat.all.map(\.name)
      let nearest = didYouMean(format, among: known)
      Console.error("murphy report: unknown format \"\(format)\".\(nearest) Known: \(known.joined(separator: ", ")).")
      throw ExitStatus.usage
    }
    guard let result else {
      Console.error("murphy report needs a result.json file, or the folder that contains this file.")
      throw ExitStatus.usage
    }
    do {
      let isFolder = StoredResults.isFolder(result)
      let text = try wanted.text(ResultFile.read(isFolder ? "\(result)/\(ResultFile.name)" : result))
      if let output { try AtomicFile.write(text, to: output) } else { Console.printRaw(text) }
    } catch {
      throw Failure.report(error, as: .usage)
    }
  }
}
