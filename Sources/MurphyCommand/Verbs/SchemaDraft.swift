import ArgumentParser
import Murphy

/// Drafts as people name them on the command line.
enum SchemaDraft: String, CaseIterable, ExpressibleByArgument {
  case draft4 = "4"
  case draft6 = "6"
  case draft7 = "7"
  case draft201909 = "2019-09"
  case draft202012 = "2020-12"

  /// `7`, `draft7`, `draft-07`, `2020-12`, `draft2020-12`.
  init?(argument: String) {
    var name = argument.lowercased()
    if name.hasPrefix("draft") { name = String(name.dropFirst(5)) }
    name = String(name.drop { $0 == "-" || $0 == "0" })
    guard let draft = SchemaDraft(rawValue: name) else { return nil }
    self = draft
  }

  var dialect: Dialect {
    switch self {
    case .draft4: .draft4
    case .draft6: .draft6
    case .draft7: .draft7
    case .draft201909: .draft201909
    case .draft202012: .draft202012
    }
  }
}
