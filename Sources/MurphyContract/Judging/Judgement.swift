/// What the contract says of one answer.
public enum Judgement: Sendable {
  case conformant
  /// At least one violation, at most ``JudgeOptions/violationsPerResponse``.
  case violating([ContractViolation])
  /// Nothing is wrong with what could be checked, but not everything could: why, the same words for the same cause.
  case unchecked(String)
}
