import Foundation
import MurphyModel

extension BoundedFile.Failure {
  /// The reason as a sentence, with the file of a similar name in the same folder if `path` does not exist.
  package func sentence(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    guard !FileManager.default.fileExists(atPath: path),
      let files = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    else { return "\(self)." }
    return "\(self).\(didYouMean(url.lastPathComponent, among: files))"
  }
}
