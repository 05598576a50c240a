import Foundation
import MurphyModel
import MurphySchema

/// How long a token is valid, as far as its response or the token itself says so.
package enum TokenLife {
  private static let longest = Duration.seconds(31_622_400)
  private static let names = ["expires_in", "expiresIn", "expires-in"]

  /// `expires_in` of a response, at any depth, in seconds (RFC 6749 §5.1).
  package static func stated(in response: JSONValue) -> Duration? {
    var level = [response]
    while !level.isEmpty {
      for name in names {
        let value = level.lazy.compactMap { $0[name] }.first
        if let value, let life = value.double ?? value.string.flatMap(Double.init) { return duration(life) }
      }
      level = level.flatMap { $0.object?.members.map(\.value) ?? [] }
    }
    return nil
  }

  /// The claims `exp` and `iat` of a JSON Web Token (RFC 7519 §4.1). Without `iat`, this machine's clock counts.
  package static func claimed(by token: String) -> Duration? {
    let parts = (token.split(separator: " ").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var text = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while text.utf8.count % 4 != 0 { text += "=" }
    guard let bytes = Data(base64Encoded: text), let claims = try? JSONValue.parse(bytes),
      let end = claims["exp"]?.double
    else { return nil }
    return duration(end - (claims["iat"]?.double ?? Date().timeIntervalSince1970))
  }

  /// The shortest `Max-Age` of cookies (RFC 6265 §5.2.2).
  package static func kept(_ cookies: [HeaderField]) -> Duration? {
    cookies.flatMap { $0.value.split(separator: ";").dropFirst() }.compactMap { attribute -> Duration? in
      let parts = attribute.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, parts[0].lowercased() == "max-age" else { return nil }
      return Double(parts[1]).flatMap(duration)
    }.min()
  }

  /// Nil for a time that has passed already, and for one that is as good as endless.
  private static func duration(_ seconds: Double) -> Duration? {
    let life = Duration.saturating(seconds: seconds)
    return life > .zero && life < longest ? life : nil
  }
}
