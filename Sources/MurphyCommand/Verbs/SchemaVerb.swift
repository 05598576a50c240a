import ArgumentParser
import Foundation
import Murphy

/// `murphy schema`: the JSON Schema validator by itself.
struct SchemaVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "The JSON Schema validator by itself.",
    subcommands: [ValidateVerb.self, BowtieVerb.self])

  /// `murphy schema validate --schema S INSTANCE...`
  struct ValidateVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate", abstract: "Validates JSON files against a JSON Schema.",
      discussion: """
        Exit status 0 when all are valid, 1 when some are not, 2 for a schema or file that cannot be used. A remote \
        $ref is looked up among the files given with --remote, never on a network.
        """)

    @Option(help: "The schema, a JSON file.") var schema: String
    @Option(help: "Draft of a schema without $schema: \(SchemaDraft.allCases.map(\.rawValue).joined(separator: ", ")).")
    var draft: SchemaDraft = .draft202012
    @Flag(help: "\"format\" is an assertion, not an annotation.") var formatAssertion = false
    @Option(help: "URI=FILE: a document that $ref may lead to; may be given several times.") var remote: [String] = []
    @Argument(help: "JSON files; - for standard input.") var instances: [String]

    func run() throws {
      let remotes = try SchemaRemotes(remote)
      let compiled: Schema
      var options = SchemaOptions()
      options.formatAssertion = formatAssertion
      do {
        compiled = try Schema(
          InputFile.json(schema), dialect: draft.dialect, options: options,
          uri: URL(filePath: schema).absoluteString, loader: remotes.document)
      } catch let error as SchemaError {
        Console.error("murphy schema: \(schema): \(error)")
        throw ExitStatus.usage
      }
      var status = ExitStatus.pass
      for file in instances {
        let check = compiled.check(try InputFile.json(file))
        switch check.verdict {
        case .valid: Console.print("\(file): valid")
        case .invalid:
          Console.print("\(file): invalid\n" + check.violations.map { $0.text(indent: 2) }.joined(separator: "\n"))
          status = .fail
        case .unchecked(let reason):
          Console.print("\(file): not checked: \(reason)")
          status = .fail
        }
      }
      throw status
    }
  }
}
