/// An answer as the judge sees it: borrowed memory that is valid during the call only.
public struct ResponseView {
  public var status: Int
  /// Raw field lines `Name: value\r\n`, without the status line.
  public var headerBlock: UnsafeRawBufferPointer
  public var body: UnsafeRawBufferPointer
  /// The body was cut off at the size limit.
  public var bodyIncomplete: Bool
  /// Path and query of the request; empty where it is not known, and then no answer is held against another.
  public var target: String

  public init(
    status: Int, headerBlock: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, bodyIncomplete: Bool = false,
    target: String = ""
  ) {
    self.status = status
    self.headerBlock = headerBlock
    self.body = body
    self.bodyIncomplete = bodyIncomplete
    self.target = target
  }
}
