/// A report that could not be written or read: murphy could not do its job.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was being done: `write`, `read`.
  public var operation: String
  /// The file or folder.
  public var path: String
  /// What was found, without a full stop.
  public var reason: String
  /// What to do about it.
  public var advice: String

  package init(_ operation: String, _ path: String, reason: String, advice: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.advice = advice
  }

  /// `cannot write reports/result.json: no space left on device. Free some space …`
  public var description: String { "cannot \(operation) \(path): \(reason). \(advice)" }
}
