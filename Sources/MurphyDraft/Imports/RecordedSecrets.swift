import Foundation

/// Which parts of a recording are secrets: no file of a scenario may hold them.
enum RecordedSecrets {
  /// Parts of names whose values are secret, letters and digits alone.
  private static let parts = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "subscriptionkey", "accesskey", "privatekey",
    "sessionid",
    "signature", "credential", "csrf", "xsrf", "cardnumber", "authorization",
  ]
  private static let names: Set<String> = [
    "pwd", "pass", "pin", "otp", "totp", "jwt", "sig", "cvv", "cvc", "iban", "ssn", "dpop", "auth", "xauth", "sid",
    "key",
    "code", "codeverifier", "assertion", "samlresponse", "cookie",
  ]

  /// Whether the value of a header, parameter or member of that name is a secret.
  static func isSecret(_ name: String) -> Bool {
    let plain = DraftNames.plain(name)
    return names.contains(plain) || parts.contains(where: plain.contains)
  }

  /// Whether a value looks like a credential, whatever its name.
  static func isSecret(value: String) -> Bool {
    value.firstMatch(
      of:
        /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_|\b[srp]k_(?:live|test)_|\bxox[abprs]-|\bAKIA[0-9A-Z]{12,}|\bglpat-|^(?:Bearer|Basic) \S{8,}/
    ) != nil
  }

  /// A text with variables in the place of what stands behind such names, and of what looks like a credential.
  static func masked(_ text: String, _ variables: inout Set<String>) -> String {
    var found: Set<String> = []
    var result = text.replacing(
      /(?i)([A-Za-z_-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|session[_-]?id|cvv|otp)[A-Za-z_-]*)(["']?\s*(?:=|:|>)\s*["']?|["']\s*\r?\n\s*\r?\n)([^"'&<>\s,;$]+)/
    ) { match in
      let variable = variable(String(match.1))
      found.insert(variable)
      return "\(match.1)\(match.2)${env(\(variable))}"
    }
    if isSecret(value: result) {
      result = result.replacing(/[^\s"'<>&,;=\/?:]+/) { match -> String in
        guard isSecret(value: String(match.0)) else { return String(match.0) }
        found.insert("MURPHY_SECRET")
        return "${env(MURPHY_SECRET)}"
      }
    }
    variables.formUnion(found)
    return result
  }

  /// `MURPHY_PASSWORD`
  static func variable(_ name: String) -> String {
    "MURPHY_" + name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}
