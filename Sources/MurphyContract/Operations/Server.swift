import MurphyModel

extension Contract {
  /// A server of the document.
  public struct Server: Sendable, Hashable {
    /// `https://{region}.example.org/v1`
    public let template: String
    public let variables: [Variable]
    public let description: String?

    public struct Variable: Sendable, Hashable {
      public let name: String
      public let defaultValue: String
      /// Empty: anything goes.
      public let allowed: [String]
    }

    /// The template with every variable replaced, by `values` or else by its default.
    public func url(_ values: [String: String] = [:]) -> String {
      var url = template
      for variable in variables {
        url = url.split(separator: "{\(variable.name)}", omittingEmptySubsequences: false)
          .joined(separator: values[variable.name] ?? variable.defaultValue)
      }
      return url
    }
  }
}
