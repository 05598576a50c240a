/// What a scenario must know of an operation to be checked against the contract.
public struct OperationSummary: Sendable, Hashable {
  public var id: String
  public var method: String
  /// `/laws/{id}/vote`
  public var path: String
  public var parameters: [Parameter]
  public var takesBody: Bool
  public var requiresBody: Bool
  /// Documented statuses as written: `200`, `4XX`, `default`.
  public var statuses: [String]

  public init(
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

  public struct Parameter: Sendable, Hashable {
    public enum Location: String, Sendable { case path, query, header, cookie }

    public var name: String
    public var location: Location
    public var required: Bool

    public init(name: String, location: Location, required: Bool) {
      self.name = name
      self.location = location
      self.required = required
    }
  }
}
