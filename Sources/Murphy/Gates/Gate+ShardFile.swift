import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyModel

extension Gate {
  /// Writes the data that `murphy merge` needs from a shard into its report folder.
  ///
  /// - Parameter environment: may contain the key for pseudonyms of secrets (``ShardKey``).
  /// - Returns: the path of the file.
  /// - Throws: if it cannot be written.
  @discardableResult
  package func writeShard(
    _ part: RunMeasurement, _ mask: SecretMask, environment: [String: String], to folder: String
  ) throws -> String {
    let path = "\(folder)/\(ShardFile.name)"
    let key = ShardKey(environment: environment, seed: part.logs.first?.info.seed ?? 0)
    try ShardFile.write(
      part, documents: documents, mask: mask, words: key, key: key.fingerprint, to: path)
    return path
  }

  /// Removes the file of an earlier run from the folder. Otherwise it would be merged instead of a shard that does not
  /// finish.
  package static func removeShard(in folder: String) {
    try? FileManager.default.removeItem(atPath: "\(folder)/\(ShardFile.name)")
  }

  /// True if a file can be uploaded there.
  package static func isStore(_ url: String) -> Bool { StoreAddress(url, environment: [:]) != nil }

  /// Uploads the file of a shard to a store.
  ///
  /// - Throws: `GateError.usage` with the store's message, and the path of the file.
  package static func upload(
    _ file: String, of shard: RunShard, to url: String, _ options: RunOptions
  ) async throws(GateError) {
    let name = "shard-\(shard.number)-of-\(shard.of).json.gz"
    guard let address = StoreAddress(url, file: name, environment: options.environment) else {
      throw .usage("\(URLCredentials.masked(url)) is not an http or https URL.")
    }
    do {
      try ObjectStore(authorities: options.authorities).put(file, to: address)
    } catch {
      throw .usage("\(error). The measurements are in \(file).")
    }
  }
}
