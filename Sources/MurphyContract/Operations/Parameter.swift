import MurphyModel

extension Contract {
  /// A parameter of an operation.
  package struct Parameter: Sendable {
    package typealias Location = OperationSummary.Parameter.Location

    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let style: ParameterStyle
    package let explode: Bool
    package let allowReserved: Bool
    /// The media type of a `content` parameter, whose value is sent as one text; nil for one with a `schema`.
    package let contentType: String?
    package let source: SourceMark

    package let schema: SchemaSite?

    /// What OpenAPI assumes for parameters at `location` without a `style`.
    package static func defaultStyle(_ location: Location) -> ParameterStyle {
      switch location {
      case .path, .header: .simple
      case .query, .cookie: .form
      }
    }

    /// The styles that OpenAPI admits at `location`.
    package static func styles(_ location: Location) -> [ParameterStyle] {
      switch location {
      case .path: [.matrix, .label, .simple]
      case .header: [.simple]
      case .query: [.form, .spaceDelimited, .pipeDelimited, .deepObject]
      case .cookie: [.form, .cookie]
      }
    }
  }
}
