import MurphyModel

extension Contract {
  /// What an operation takes as its body.
  public struct RequestBody: Sendable {
    public let isRequired: Bool
    /// In the document's order.
    public let mediaTypes: [String]
    public let source: SourceMark

    package let content: [MediaTypePromise]
  }
}
