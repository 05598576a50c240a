/// A request body as the scenario writes it.
package enum BodyTemplate: Sendable {
  /// `body:` sent as JSON.
  case json(Template, contentType: String)
  /// `form:` sent as `application/x-www-form-urlencoded` (WHATWG URL §5.2).
  case form([NamedTemplate])
  /// `text:` sent as it is.
  case text(Template, contentType: String)

  package var variables: [Variable] {
    switch self {
    case .json(let value, _), .text(let value, _): value.variables
    case .form(let fields): fields.flatMap(\.value.variables)
    }
  }

  package var isConstant: Bool {
    switch self {
    case .json(let value, _), .text(let value, _): value.isConstant
    case .form(let fields): fields.allSatisfy(\.value.isConstant)
    }
  }
}
