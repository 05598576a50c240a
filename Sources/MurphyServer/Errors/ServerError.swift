/// Why a reference server could not be started or its options not be read.
public struct ServerError: Error, CustomStringConvertible, Sendable, Equatable {
  /// One sentence: what failed, on what, and what to do.
  public let description: String

  package init(_ description: String) { self.description = description }

  /// `unknown fault "lost-vot". Did you mean "lost-vote"?`, or all names there are if none is near.
  init(unknown kind: String, _ name: String, among known: [String]) {
    if let nearest = NearestName.find(name, among: known) {
      self.init("unknown \(kind) \"\(name)\". Did you mean \"\(nearest)\"?")
    } else {
      self.init("unknown \(kind) \"\(name)\". There are: \(known.joined(separator: ", ")).")
    }
  }
}
