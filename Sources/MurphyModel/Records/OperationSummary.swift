/// The data about an operation that is needed to check a scenario against the contract.
package struct OperationSummary: Sendable, Hashable {
  package var id: String
  package var method: String
  /// `/laws/{id}/vote`
  package var path: String
  package var parameters: [Parameter]
  /// True if the contract documents a request body.
  package var takesBody: Bool
  /// True if the contract requires a request body.
  package var requiresBody: Bool
  /// Documented statuses as written: `200`, `4XX`, `default`.
  package var statuses: [String]
  /// Fields of the items of a list; nil if the response is not a list.
  package var itemFields: [String]?

  package init(
    id: String, method: String, path: String, parameters: [Parameter], takesBody: Bool, requiresBody: Bool,
    statuses: [String]
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.parameters = parameters
    self.takesBody = takesBody
    self.requiresBody = requiresBody
    self.statuses = statuses
  }

  /// A documented parameter of the operation.
  package struct Parameter: Sendable, Hashable {
    /// The part of the request that holds the parameter.
    package enum Location: String, Sendable { case path, query, header, cookie }

    package var name: String
    package var location: Location
    /// True if the contract requires it.
    package var required: Bool

    package init(name: String, location: Location, required: Bool) {
      self.name = name
      self.location = location
      self.required = required
    }
  }
}
