import HTTPTypes
import Hummingbird

/// An operation of the document.
struct Operation: Sendable {
  typealias Handler = @Sendable (Call) throws -> Answer

  var id: String
  var method: HTTPRequest.Method
  var path: String
  /// Whether it needs no token.
  var isOpen = false
  /// The media type of its body; nil without one.
  var media: String?
  /// Whether it answers with JSON when all is well.
  var answersJSON = true
  var handle: Handler

  static let all =
    UserOperations.all + BookOperations.all + BookChanges.all + AuthorOperations.all
    + ReviewOperations.all + CartOperations.all + OperationsOnOrders.all

  static func get(_ id: String, _ path: String, isOpen: Bool = false, _ handle: @escaping Handler) -> Operation {
    Operation(id: id, method: .get, path: path, isOpen: isOpen, handle: handle)
  }

  static func post(_ id: String, _ path: String, isOpen: Bool = false, _ handle: @escaping Handler) -> Operation {
    Operation(id: id, method: .post, path: path, isOpen: isOpen, media: "application/json", handle: handle)
  }

  static func put(_ id: String, _ path: String, _ handle: @escaping Handler) -> Operation {
    Operation(id: id, method: .put, path: path, media: "application/json", handle: handle)
  }

  static func delete(_ id: String, _ path: String, _ handle: @escaping Handler) -> Operation {
    Operation(id: id, method: .delete, path: path, answersJSON: false, handle: handle)
  }
}
