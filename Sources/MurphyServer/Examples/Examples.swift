/// The example systems. Only this folder contains their names.
extension ReferenceAPI {
  static let examples = [journal, milo, monica]
}
