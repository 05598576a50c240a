/// How a parameter's value is written (OpenAPI 3.1 §4.8.12.2; `cookie` is of 3.2).
package enum ParameterStyle: String, Sendable, Hashable, CaseIterable {
  case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject, cookie
}
