/// The example systems. Nothing outside of this folder names one of them.
extension ReferenceAPI {
  static let examples = [journal, milo, monica]
}
