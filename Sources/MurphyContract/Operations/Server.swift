import MurphyModel

extension Contract {
  /// A server of the document.
  package struct Server: Sendable, Hashable {
    /// `https://{region}.example.org/v1`
    package let template: String
    package let variables: [Variable]
    package let description: String?

    package struct Variable: Sendable, Hashable {
      package let name: String
      package let defaultValue: String
      /// Empty: anything goes.
      package let allowed: [String]
    }

    /// The template with every variable replaced, by `values` or else by its default.
    package func url(_ values: [String: String] = [:]) -> String {
      var url = template
      for variable in variables {
        url = url.split(separator: "{\(variable.name)}", omittingEmptySubsequences: false)
          .joined(separator: values[variable.name] ?? variable.defaultValue)
      }
      return url
    }
  }
}
