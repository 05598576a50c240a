/// Which promise a fault breaks.
public enum FaultFamily: String, CaseIterable, Sendable {
  /// The answer is not what the OpenAPI document says.
  case contract
  /// The answer comes late.
  case latency
  /// The answer is well formed and on time, and wrong.
  case state
  /// The answer does not arrive whole.
  case transport
  /// The rate limiter does not do what it promises.
  case limits
}
