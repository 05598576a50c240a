import Foundation
import MurphyContract
import MurphyModel

/// Decides from the statuses of operations whether a target has the paths of a document.
package enum BasePath {
  /// A called operation.
  package struct Called {
    let path: String
    let statuses: Set<Int>

    /// - Parameter path: the template of the document, without the base path.
    package init(path: String, statuses: some Sequence<Int>) { (self.path, self.statuses) = (path, Set(statuses)) }

    /// An item may not exist, but a path without parameters does.
    var isFixed: Bool { !path.contains("{") }
    var isMissing: Bool { statuses == [404] }
  }

  /// The minimum number of missing fixed paths if some operations returned another error.
  private static let fewest = 3

  /// True if no operation succeeded, and all of them, or most of those without path parameters, returned only 404. Some
  /// servers check credentials or methods before they look for the path.
  package static func isWrong(_ called: [Called]) -> Bool {
    let fixed = called.filter(\.isFixed)
    let missing = fixed.count(where: \.isMissing)
    guard missing > 0, !called.contains(where: { $0.statuses.contains { $0 < 400 } }) else { return false }
    return called.allSatisfy(\.isMissing) || missing >= fewest && missing * 4 >= fixed.count * 3
  }

  /// `12 of 14 called operations returned only status 404. The paths of the document already begin with /api, so use …`
  package static func sentence(_ called: [Called], _ contract: Contract, target: String) -> String {
    let missing = called.count(where: \.isMissing)
    let share = missing == called.count ? "Every called operation" : "\(missing) of \(called.count) called operations"
    return "\(share) returned only status 404. \(advice(contract, target: target))"
  }

  /// The base path that the document suggests, in a sentence.
  package static func advice(_ contract: Contract, target: String) -> String {
    var parts = URLComponents(string: URLCredentials.masked(target))
    let given = parts.map { $0.path.hasSuffix("/") ? String($0.path.dropLast()) : $0.path } ?? ""
    let base = ScenarioDraft.basePath(contract)
    if !given.isEmpty, !contract.operations.isEmpty,
      contract.operations.allSatisfy({ $0.path.hasPrefix(given + "/") })
    {
      parts?.path = ""
      return "The paths of the document already begin with \(given), so use the target \(parts?.string ?? "host")."
    }
    if given.isEmpty, !base.isEmpty, let url = parts?.string {
      return "The server URL in the document has the base path \(base), so try the target "
        + "\(url.hasSuffix("/") ? String(url.dropLast()) : url)\(base)."
    }
    return "Check the base path of the target, such as http://host/api."
  }
}
