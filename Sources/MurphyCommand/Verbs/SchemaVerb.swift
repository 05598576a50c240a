import ArgumentParser
import BowtieHarness
import Foundation
import Murphy
import MurphySchema

struct SchemaVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Validates JSON against a JSON Schema, and prints the schemas of murphy's own files.",
    subcommands: [ValidateVerb.self, ShowVerb.self, BowtieVerb.self])

  struct ShowVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Prints the JSON Schema of scenarios, of result.json, or of the output of murphy check --against.",
      discussion: "With --markdown, murphy prints the reference of all keys, as in docs/scenario/ or docs/results.md.")

    enum Subject: String, ExpressibleByArgument, CaseIterable {
      case scenario, result, changes
    }

    @Argument(help: "The schema to print: scenario, result or changes.") var subject: Subject
    @Flag(help: "Print a Markdown page instead of the schema.") var markdown = false

    func run() {
      switch subject {
      case .scenario:
        Console.printRaw(
          markdown ? LanguageReference(examples: []).text : LanguageSchema.document.pretty + "\n")
      case .result: Console.printRaw(markdown ? ResultReference.text : ReportSchema.result)
      case .changes: Console.printRaw(ReportSchema.changes)
      }
    }
  }

  struct ValidateVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate", abstract: "Validates JSON files against a JSON Schema.",
      discussion: """
        The exit status is 0 if all files are valid. The exit status is 1 if a file is invalid or could not be \
        checked. The exit status is 2 if murphy cannot use the schema or a file. Murphy resolves a remote $ref with \
        the files of --remote, and never over the network.
        """)

    @Option(help: "The JSON file with the schema.") var schema: String
    @Option(
      help: "The draft for schemas without $schema: \(SchemaDraft.allCases.map(\.rawValue).joined(separator: ", ")).")
    var draft: SchemaDraft = .draft202012
    @Flag(
      help: """
        Validate the values of the keyword "format", instead of treating them as annotations.
        """) var formatAssertion = false
    @Option(help: "URI=FILE: if a $ref refers to URI, read FILE instead (repeatable).") var remote: [String] = []
    @Argument(help: "The JSON files to validate. Use - for standard input.") var instances: [String]

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

struct BowtieVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bowtie",
    abstract: "Implements the harness protocol of Bowtie, a test tool for JSON Schema validators (docs.bowtie.report).")

  func run() throws {
    var harness = BowtieHarness(version: ProductVersion.text, homepage: "https://murphys-laws.com")
    while let line = readLine() {
      switch harness.reply(to: line) {
      case .line(let text): Console.print(text)
      case .stop: return
      case .failure(let sentence):
        Console.error(sentence)
        throw ExitStatus.usage
      }
    }
  }
}

/// Documents for the references (`$ref`) of a schema: given files by URI, and files in the schema's folder.
struct SchemaRemotes {
  private var documents: [String: JSONValue] = [:]

  /// - Parameter pairs: `URI=FILE`.
  init(_ pairs: [String]) throws {
    for pair in pairs {
      guard let sign = pair.lastIndex(of: "=") else {
        Console.error("murphy schema: --remote takes URI=FILE, found \"\(pair)\".")
        throw ExitStatus.usage
      }
      documents[String(pair[..<sign])] = try InputFile.json(String(pair[pair.index(after: sign)...]))
    }
  }

  /// The document at an absolute URI; nil if there is none.
  func document(_ uri: String) throws -> JSONValue? {
    if let document = documents[uri] { return document }
    guard let url = URL(string: uri), url.isFileURL, BoundedFile.isRegular(url.path) else { return nil }
    return try JSONValue.parse(try BoundedFile.readNamed(url.path, limit: BoundedFile.contract))
  }
}

/// Drafts as users name them on the command line.
enum SchemaDraft: String, CaseIterable, ExpressibleByArgument {
  case draft4 = "4"
  case draft6 = "6"
  case draft7 = "7"
  case draft201909 = "2019-09"
  case draft202012 = "2020-12"

  /// `7`, `draft7`, `draft-07`, `2020-12`, `draft2020-12`.
  init?(argument: String) {
    var name = argument.lowercased()
    if name.hasPrefix("draft") { name = String(name.dropFirst(5)) }
    name = String(name.drop { $0 == "-" || $0 == "0" })
    guard let draft = SchemaDraft(rawValue: name) else { return nil }
    self = draft
  }

  var dialect: Dialect {
    switch self {
    case .draft4: .draft4
    case .draft6: .draft6
    case .draft7: .draft7
    case .draft201909: .draft201909
    case .draft202012: .draft202012
    }
  }
}

/// `murphy jsonpath QUERY FILE`: only RFC 9535.
struct JSONPathVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jsonpath",
    abstract: "Runs a JSONPath query (RFC 9535) and prints each found node with its normalized path.",
    discussion: """
      If the query is invalid, the exit status is 2, and the message shows the position of the error in the query.
      """)

  @Argument(help: "The JSONPath query, such as '$.data[*].id'.") var query: String
  @Argument(help: "A JSON file. Use - for standard input.") var file: String

  func run() throws {
    let path: JSONPath
    do {
      path = try JSONPath(query)
    } catch {
      Console.error("murphy jsonpath: \(error)")
      throw ExitStatus.usage
    }
    let document = try InputFile.json(file)
    let nodes: [JSONPath.Node]
    do {
      nodes = try path.nodes(in: document)
    } catch {
      Console.error("murphy jsonpath: \(error)")
      throw ExitStatus.usage
    }
    let rows = nodes.map { node in
      JSONValue.object(JSONObject([("path", .string(node.path)), ("value", node.value)]))
    }
    Console.print(JSONValue.array(rows).text)
  }
}
