/// Who is credited with a law.
struct Attribution: Sendable, Equatable {
  enum Contact: Sendable, Equatable {
    case url(String)
    case email(String)
  }

  var id: Int
  var name: String
  /// Nil if they cannot be reached.
  var contact: Contact?
}
