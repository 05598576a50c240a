/// An answer as the judge sees it: borrowed memory that is valid during the call only.
public struct ResponseView {
  public var status: Int
  /// Raw field lines `Name: value\r\n`, without the status line.
  public var headerBlock: UnsafeRawBufferPointer
  public var body: UnsafeRawBufferPointer
  /// The body was cut off at the size limit.
  public var bodyIncomplete: Bool

  public init(
    status: Int, headerBlock: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, bodyIncomplete: Bool = false
  ) {
    self.status = status
    self.headerBlock = headerBlock
    self.body = body
    self.bodyIncomplete = bodyIncomplete
  }
}
