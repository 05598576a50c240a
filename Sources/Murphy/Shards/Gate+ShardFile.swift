import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyModel

extension Gate {
  /// Writes what `murphy merge` needs of a shard into its report folder.
  ///
  /// - Parameter environment: may have the key of the words for secrets (``ShardKey``).
  /// - Returns: the path of the file.
  /// - Throws: where it cannot be written.
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

  /// Takes away what an earlier run left in the folder: it would be merged in the place of a shard that does not come to its end.
  package static func removeShard(in folder: String) {
    try? FileManager.default.removeItem(atPath: "\(folder)/\(ShardFile.name)")
  }

  /// Whether a file can be put there.
  package static func isStore(_ url: String) -> Bool { StoreAddress(url, environment: [:]) != nil }

  /// Puts the file of a shard into a store.
  ///
  /// - Throws: `GateError.usage` with what the store said, and where the file is.
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
      throw .usage("\(error). What was measured lies in \(file).")
    }
  }
}
