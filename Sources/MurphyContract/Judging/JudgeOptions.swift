/// How strict a judge is, and how much of it.
public struct JudgeOptions: Sendable, Hashable {
  /// Report fields of answers that no schema documents (`strict: undocumented-fields`).
  public var undocumentedFields: Bool
  /// Pointer patterns of undocumented fields that are fine: `/data/*/debug`, `/meta/**`.
  public var allowedFields: [String]
  /// `format` is an assertion, not an annotation.
  public var formatAssertion: Bool
  /// Mutate the first conformant bodies of every response, to find schemas that cannot fail.
  public var vacuity: Bool
  /// The most different violations reported for one answer.
  public var violationsPerResponse: Int

  /// As strict as the contract alone, unless said otherwise.
  public init(
    undocumentedFields: Bool = false, allowedFields: [String] = [], formatAssertion: Bool = true, vacuity: Bool = true,
    violationsPerResponse: Int = 8
  ) {
    self.undocumentedFields = undocumentedFields
    self.allowedFields = allowedFields
    self.formatAssertion = formatAssertion
    self.vacuity = vacuity
    self.violationsPerResponse = violationsPerResponse
  }
}
