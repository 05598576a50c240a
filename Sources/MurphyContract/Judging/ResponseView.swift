import MurphyModel

/// A response as the judge receives it: borrowed memory that is valid during the call only.
package struct ResponseView {
  /// 100 to 599.
  package var status: Int
  /// The headers, without the status line.
  package let fields: FieldTable
  /// Decompressed; empty for a response without a body.
  package var body: UnsafeRawBufferPointer
  /// The body was truncated at the size limit.
  package var bodyIncomplete: Bool
  /// Path and query of the request. If it is empty, the response is not compared with others.
  package var target: String

  /// - Parameters:
  ///   - status: of the response, 100 to 599.
  ///   - headerBlock: raw field lines `Name: value\r\n`, without the status line.
  ///   - body: decompressed.
  ///   - bodyIncomplete: the body was truncated at the size limit.
  ///   - target: path and query of the request; empty if unknown.
  package init(
    status: Int, headerBlock: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, bodyIncomplete: Bool = false,
    target: String = ""
  ) {
    let fields = FieldTable()
    fields.read(headerBlock, by: .common)
    self.init(status: status, fields: fields, body: body, bodyIncomplete: bodyIncomplete, target: target)
  }

  package init(
    status: Int, fields: FieldTable, body: UnsafeRawBufferPointer, bodyIncomplete: Bool = false, target: String = ""
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.bodyIncomplete = bodyIncomplete
    self.target = target
  }
}
