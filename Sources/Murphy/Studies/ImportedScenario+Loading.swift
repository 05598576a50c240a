import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario

extension ImportedScenario {
  /// A scenario from another tool's file or folder.
  ///
  /// - Parameters:
  ///   - file: its name, for messages.
  ///   - verb: the creator of the recording, if that is murphy itself.
  ///   - output: the scenario's file; the path of its contract is relative to it.
  ///   - operations: may be called even if they change data.
  /// - Throws: `ImportedScenario.Mistake` for a file without requests to import, a `GateError` for the contract.
  package static func load(
    _ content: Content, of file: String, by verb: String? = nil, contract document: String, target: String?,
    into output: String, operations: [String] = []
  ) throws -> ImportedScenario {
    let contract = try Gate.contract(document)
    return try ImportedScenario(
      content, file: file, contract, at: DraftPath.path(to: document, from: output), target: target, origin: verb,
      WriteRule.naming(operations, of: contract, document))
  }

  /// Checks that a document can be used for an import.
  ///
  /// - Throws: a `GateError` for an unreadable document, and for operations that are not in it.
  package static func check(contract document: String, operations: [String]) throws(GateError) {
    _ = try WriteRule.naming(operations, of: Gate.contract(document), document)
  }
}

extension ImportedScenario.Content {
  /// The maximum number of files in a collection.
  private static let mostFiles = 10_000

  /// The files of a Bruno collection; nil for a path that is not a folder.
  package static func files(in folder: String) throws(ImportedScenario.Mistake) -> Self? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else { return nil }
    var files: [(path: String, text: String)] = []
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      let parts = path.split(separator: "/")
      guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") || $0 == "node_modules" }) else {
        continue
      }
      guard path == "bruno.json" || [".bru", ".yml", ".yaml"].contains(where: name.hasSuffix) else { continue }
      guard files.count < mostFiles else {
        throw ImportedScenario.Mistake(description: "\(folder) contains more than \(mostFiles) files")
      }
      do {
        let bytes = try BoundedFile.readNamed(folder + "/" + path, limit: BoundedFile.scenario)
        files.append((path, String(decoding: bytes, as: UTF8.self)))
      } catch {
        throw ImportedScenario.Mistake(description: "cannot read \(folder)/\(path): \(error)")
      }
    }
    guard files.contains(where: { ["bruno.json", "opencollection.yml"].contains($0.path) }) else {
      throw ImportedScenario.Mistake(
        description: "the folder \(folder) contains no Bruno collection (bruno.json or opencollection.yml)")
    }
    return .folder(files.sorted { $0.path < $1.path })
  }
}

extension WriteRule {
  /// The rule with the operations that the user has named.
  ///
  /// - Throws: `GateError.usage` for an operation that is not in the document.
  static func naming(_ names: [String], of contract: Contract, _ document: String) throws(GateError) -> WriteRule {
    try contract.checkOperations(names, document)
    return WriteRule(contract, named: names)
  }
}

extension Contract {
  /// - Throws: `GateError.usage` for an operation that is not in the document.
  func checkOperations(_ names: [String], _ document: String) throws(GateError) {
    guard let unknown = names.first(where: { index(of: $0) == nil }) else { return }
    throw .usage(
      "\(document) has no operation \"\(unknown)\".\(didYouMean(unknown, among: operations.map(\.id)))")
  }
}

extension Gate {
  /// One OpenAPI document without a scenario.
  static func contract(_ document: String) throws(GateError) -> Contract {
    do {
      return try Contract.load(document)
    } catch {
      throw .mistakes(error.diagnostics)
    }
  }
}

/// The path of a contract in a scenario.
enum DraftPath {
  /// - Parameter scenario: the scenario's file; nil or `-` for none.
  static func path(to document: String, from scenario: String?) -> String {
    guard let scenario, scenario != "-" else { return document }
    let from = URL(filePath: absolute(scenario)).deletingLastPathComponent().pathComponents
    let to = URL(filePath: absolute(document)).pathComponents
    let common = zip(from, to).prefix { $0 == $1 }.count
    // From a distant folder the absolute path is clearer than a series of dots.
    guard from.count - common <= 3 else { return absolute(document) }
    return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(separator: "/")
  }

  static func absolute(_ path: String) -> String {
    URL(filePath: path, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath + "/")).standardizedFileURL
      .path
  }
}
