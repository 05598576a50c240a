/// All that the endpoints share.
struct Service: Sendable {
  let store: Store
  let gate: PolicyLimiters
  let stamp: RequestStamp
  let hooks: Hooks

  init(store: Store, limits: LimitSettings, hooks: Hooks, seed: UInt64) async throws {
    self.store = store
    self.hooks = hooks
    gate = try await PolicyLimiters(limits, hooks: hooks)
    stamp = RequestStamp(seed: seed)
  }
}
