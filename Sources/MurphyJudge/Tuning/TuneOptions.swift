import MurphyModel

/// What `murphy tune` is asked for.
public struct TuneOptions: Sendable {
  /// Policies to answer for, one sentence each.
  package var questions: [WhatIf] = []
  /// Honest sessions to draw. A share can only be shown to be below x with 3/x addresses (the rule of three).
  public var sessions = 6000
  /// How many users share an address.
  package var sharing = AddressSharing.usual
  /// The limit whose operations are tuned, by its name; nil for the one that sessions call most.
  public var limit: String?
  /// Operations to tune together instead of a limit's.
  public var operations: [String] = []
  /// The same seed draws the same sessions.
  public var seed: UInt64 = 1

  /// 6,000 sessions of the usual addresses, for the limit that sessions call most.
  public init() {}
}
