import ArgumentParser
import Foundation
import Murphy

struct ImportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Writes a scenario out of a recording (HAR), a Postman collection, a JMeter plan, a k6 script or Arazzo workflows.",
    discussion: """
      Requests are matched with the operations of the contract; values that earlier responses gave become names, pauses \
      become think times, and secrets variables of the environment. Requests that change items of others are left out, \
      unless --operation names them. What could not be carried over is listed. Example: \
      murphy import recording.har --contract openapi.yaml --target http://127.0.0.1:8080
      """)

  @Argument(
    help: "A .har file, a Postman collection, a .jmx plan, a k6 script or an Arazzo document; - for standard input.")
  var file: String
  @Option(
    name: [.customLong("contract"), .customLong("openapi")], help: "The OpenAPI document of the API.",
    completion: Candidates.documents)
  var contract: String
  @Option(help: "Where the scenario sends to; by default where the recording did.") var target: String?
  @Option(name: .shortAndLong, help: "The scenario's file; - for standard output.") var output = "scenario.yaml"
  @Option(
    help: "Keep this operation (operationId) whatever it changes or deletes; may be given several times.",
    completion: Candidates.operations)
  var operation: [String] = []
  @Flag(help: "Write over a file that exists.") var force = false

  func run() throws {
    let imported: ImportedScenario
    do {
      try draft.checkFree()
      imported = try ImportedScenario.load(
        String(decoding: try InputFile.bytes(file), as: UTF8.self), of: file, contract: contract, target: target,
        into: output, operations: operation)
    } catch let error as ImportedScenario.Mistake {
      throw Failure.report(GateError.usage(error.description))
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw Failure.report(error)
    }
    try draft.write(imported)
  }

  private var draft: DraftFile { DraftFile(path: output, isForced: force) }
}
