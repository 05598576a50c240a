import Foundation
import MurphyModel
import MurphyScenario

/// Where a scenario's contract comes from: files, and documents that the target gave.
struct FetchedContracts: Sendable {
  /// What was asked of the target, with its URL; empty before anything was fetched.
  var urls: [String: String] = [:]
  /// The fetched bytes by URL.
  var documents: [String: [UInt8]] = [:]
  /// Files and URLs in the scenario's order.
  private(set) var files: [String] = []

  /// Whether `name` in the scenario `file` is a path of the target: absolute, and no file of this machine.
  static func isOfTarget(_ name: String, in file: String) -> Bool {
    name.hasPrefix("/") && !isFile(ScenarioFiles.path(name, relativeTo: file))
  }

  /// Takes one document of the scenario's contract in.
  mutating func add(_ name: String, of file: String) throws(GateError) {
    let path = ScenarioFiles.path(name, relativeTo: file)
    if Self.isFile(path) {
      files.append(path)
    } else if let url = urls[name] {
      files.append(url)
    } else if name.hasPrefix("/") {
      throw .usage(
        "\(file): the contract \"\(name)\" is not a file of this machine, and it was not fetched from the target.")
    } else {
      throw .usage("\(file): the contract \"\(name)\" is missing: there is no file \(path).")
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var folder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && !folder.boolValue
  }
}
