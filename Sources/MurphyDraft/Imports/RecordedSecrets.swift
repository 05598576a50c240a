/// What stands in the place of the secrets of a recording: no file of a scenario may hold them.
enum RecordedSecrets {
  /// What stands in a recording of murphy's own for its `number`th secret. Import takes it for a credential.
  static func placeholder(_ number: Int) -> String { "murphy-secret-\(number)" }

  static func isPlaceholder(_ text: String) -> Bool {
    let start = "murphy-secret-"
    return text.hasPrefix(start) && text.utf8.count > start.utf8.count
      && text.utf8.dropFirst(start.utf8.count).allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// `MURPHY_PASSWORD`
  static func variable(_ name: String) -> String {
    "MURPHY_" + name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}
