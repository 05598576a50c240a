import ArgumentParser
import Foundation
import Murphy

/// `murphy jsonpath QUERY FILE`: only RFC 9535.
struct JSONPathVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jsonpath", abstract: "Runs a JSONPath query (RFC 9535) and prints the nodes with normalized paths.",
    discussion: "Exit status 2 for an invalid query, with the position of the error.")

  @Argument(help: "The query: '$.data[*].id'.") var query: String
  @Argument(help: "A JSON file, or - for standard input.") var file: String

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
