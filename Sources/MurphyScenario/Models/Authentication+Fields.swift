import Foundation
import MurphyJSON
import MurphyModel

extension Authentication {
  /// Where the credentials go, and what they are for this session.
  package struct Credentials: Sendable, Hashable {
    package var place: KeyPlace
    package var name: String
    package var value: String

    package init(place: KeyPlace, name: String, value: String) {
      self.place = place
      self.name = name
      self.value = value
    }
  }

  /// Evaluated for each request, as a token may be saved on the way; throws `unset` until it is.
  package func credentials(
    in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> Credentials {
    switch self {
    case .bearer(let token):
      let value = try secret(token, in: &scope, random: &random)
      return Credentials(place: .header, name: "Authorization", value: "Bearer \(value)")
    case .basic(let user, let password):
      let name = try user.evaluate(in: &scope, random: &random).interpolated
      let secret = try secret(password, in: &scope, random: &random)
      let encoded = Data("\(name):\(secret)".utf8).base64EncodedString()
      return Credentials(place: .header, name: "Authorization", value: "Basic \(encoded)")
    case .apiKey(let name, let place, let value):
      return Credentials(place: place, name: name, value: try secret(value, in: &scope, random: &random))
    case .oauth2: throw .nothing("the user asks for its token when it sends a request")
    }
  }

  /// The value of a template that is secret by its place.
  private func secret(
    _ template: Template, in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> String {
    let value = try template.evaluate(in: &scope, random: &random)
    if !template.isConstant { scope.learn(value) }
    return value.interpolated
  }

  /// The templates whose values are secrets.
  var secrets: [Template] {
    switch self {
    case .bearer(let token): [token]
    case .basic(_, let password): [password]
    case .apiKey(_, _, let value): [value]
    case .oauth2(let source): source.secrets
    }
  }
}
