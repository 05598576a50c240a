import Foundation

/// Which parts of a recording are secrets: no file of a scenario may hold them.
package enum RecordedSecrets {
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
  package static func isSecret(_ name: String) -> Bool {
    let plain = DraftNames.plain(name)
    return names.contains(plain) || parts.contains(where: plain.contains)
  }

  /// Whether a value looks like a credential, whatever its name.
  static func isSecret(value: String) -> Bool {
    value.firstMatch(
      of:
        /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_|\b[srp]k_(?:live|test)_|\bxox[abprs]-|\bAKIA[0-9A-Z]{12,}|\bglpat-|\bmurphy-secret-[0-9]+\b|^(?:Bearer|Basic) \S{8,}/
    ) != nil
  }

  /// A text with variables in the place of what stands behind such names, and of what looks like a credential.
  static func masked(_ text: String, _ variables: inout Set<String>) -> String {
    var found: Set<String> = []
    let result = replacing(text) { name, _ in
      let variable = variable(name ?? "secret")
      found.insert(variable)
      return "${env(\(variable))}"
    }
    variables.formUnion(found)
    return result
  }

  /// A text with something else in the place of its secrets.
  ///
  /// - Parameter word: what stands for a secret; it gets the name before it, where there is one, and the secret.
  package static func replacing(_ text: String, _ word: (_ name: String?, _ secret: String) -> String) -> String {
    guard text.utf8.count >= 5 else { return text }
    var result = text.replacing(/(["']([\w.:-]+)["']\s*:\s*")((?:[^"\\]|\\.)+)/) { match -> String in
      isSecret(String(match.2)) ? "\(match.1)\(word(String(match.2), String(match.3)))" : String(match.0)
    }
    // `$token: String!` declares a variable of GraphQL, and `token: $token` reads it.
    result = result.replacing(
      /(?i)(\$?([A-Za-z_-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|session[_-]?id|cvv|otp)[A-Za-z_-]*)(?:["']?\s*(?:=|:|>)\s*["']?|["']\s*\r?\n\s*\r?\n))([^"'&<>\s,;$][^"'&<>\s,;]*)/
    ) { match -> String in
      match.1.hasPrefix("$") ? String(match.0) : "\(match.1)\(word(String(match.2), String(match.3)))"
    }
    guard isSecret(value: result) else { return result }
    result = result.replacing(/^((?:Bearer|Basic) )(\S{8,})/) { "\($0.1)\(word(nil, String($0.2)))" }
    return result.replacing(/[^\s"'<>&,;=\/?:]+/) { match -> String in
      isSecret(value: String(match.0)) ? word(nil, String(match.0)) : String(match.0)
    }
  }

  /// What stands in a recording of murphy's own for its `number`th secret. Import takes it for a credential.
  package static func placeholder(_ number: Int) -> String { "murphy-secret-\(number)" }

  package static func isPlaceholder(_ text: String) -> Bool { text.wholeMatch(of: /murphy-secret-[0-9]+/) != nil }

  /// `MURPHY_PASSWORD`
  static func variable(_ name: String) -> String {
    "MURPHY_" + name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}
