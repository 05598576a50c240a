import MurphyModel

extension Contract {
  /// What an operation takes as its body.
  package struct RequestBody: Sendable {
    package let isRequired: Bool
    /// In the document's order.
    package let mediaTypes: [String]
    package let source: SourceMark

    package let content: [MediaTypePromise]
  }
}
