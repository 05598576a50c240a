import ArgumentParser
import Foundation
import Murphy
import MurphyContract

/// What a shell offers to complete a word, besides options and files.
enum Candidates {
  /// Scenarios and OpenAPI documents.
  static let documents = CompletionKind.file(extensions: ["yaml", "yml", "json"])
  static let results = CompletionKind.file(extensions: ["json", "gz"])
  static let systems = CompletionKind.list(ReferenceAPI.names)
  static let targets = CompletionKind.list(ReferenceAPI.names.map { "embedded:" + $0 })
  static let faults = CompletionKind.list(
    Set(ReferenceAPI.all.flatMap(\.faults).map(\.name)).sorted())

  /// Operations of the contract or scenario that the line names.
  static let operations = CompletionKind.custom { words, _, prefix in
    for file in files(words) {
      let contract = (try? await Gate.load(file, options: RunOptions()))?.contract ?? (try? Contract.load(file))
      if let contract { return contract.operations.map(\.id).filter { $0.hasPrefix(prefix) } }
    }
    return []
  }

  /// Sessions of the scenario that the line names.
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
