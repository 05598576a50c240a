import MurphyModel
import MurphyScenario
import Testing

/// The operations of the Murphy's Laws API as a scenario sees them, and readings against them.
enum LawsAPI {
  static let operations: [OperationSummary] = [
    operation(
      "listLaws", "get", "/laws", query: ["limit", "offset", "q", "category_id", "attribution", "sort", "order"],
      items: ["id", "text", "title", "attribution", "created_at"]),
    operation("submitLaw", "post", "/laws", body: true),
    operation("getLaw", "get", "/laws/{id}", path: ["id"]),
    operation("voteLaw", "post", "/laws/{id}/vote", path: ["id"], body: true),
    operation("removeVote", "delete", "/laws/{id}/vote", path: ["id"]),
    operation("getLawOfTheDay", "get", "/law-of-day"),
  ]

  private static func operation(
    _ id: String, _ method: String, _ path: String, path names: [String] = [], query: [String] = [], body: Bool = false,
    items: [String]? = nil
  ) -> OperationSummary {
    var parameters = names.map { OperationSummary.Parameter(name: $0, location: .path, required: true) }
    parameters += query.map { OperationSummary.Parameter(name: $0, location: .query, required: false) }
    parameters.append(OperationSummary.Parameter(name: "X-Device-ID", location: .header, required: false))
    var summary = OperationSummary(
      id: id, method: method, path: path, parameters: parameters, takesBody: body, requiresBody: body,
      statuses: ["200", "429"])
    summary.itemFields = items
    return summary
  }

  /// A whole scenario around some steps.
  static func scenario(steps: String, head: String = "", load: String = "- { hold: 1/s, for: 1s }") -> String {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)" }
    return """
      name: test
      contract: openapi.yaml
      \(head)
      sessions:
        only:
          steps:
      \(indented.joined(separator: "\n"))
      load:
        \(load)
      """
  }

  static func read(
    _ text: String, files: [String: String] = [:], environment: [String: String] = [:],
    contract: [OperationSummary]? = operations
  ) throws(ScenarioError) -> Scenario {
    let disk = ScenarioFiles { path in
      guard let text = files[path] else { throw MissingFile(path: path) }
      return Array(text.utf8)
    }
    return try Scenario.parse(
      text: text, file: "scenario.yaml", operations: contract, files: disk, environment: environment)
  }

  /// The messages of a scenario that has mistakes, without their places.
  static func mistakes(_ text: String, files: [String: String] = [:]) -> [String] {
    do throws(ScenarioError) {
      _ = try read(text, files: files)
      return []
    } catch {
      return error.diagnostics.map(\.message)
    }
  }

  struct MissingFile: Error { var path: String }
}
