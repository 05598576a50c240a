import MurphyModel

/// An answer as the judge sees it: borrowed memory that is valid during the call only.
package struct ResponseView {
  /// 100 to 599.
  package var status: Int
  /// The field lines, without the status line.
  package let fields: FieldTable
  /// Decompressed; empty for an answer without one.
  package var body: UnsafeRawBufferPointer
  /// The body was cut off at the size limit.
  package var bodyIncomplete: Bool
  /// Path and query of the request; empty where it is not known, and then no answer is held against another.
  package var target: String

  /// - Parameters:
  ///   - status: of the answer, 100 to 599.
  ///   - headerBlock: raw field lines `Name: value\r\n`, without the status line.
  ///   - body: decompressed.
  ///   - bodyIncomplete: the body was cut off at the size limit.
  ///   - target: path and query of the request; empty where it is not known.
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
