/// All that the endpoints share.
struct Service: Sendable {
  let store: Store
  let gate: LimitGate
  let faults: FaultPlan
  let stamp: RequestStamp
  let delays: DelayFaults
  let transport: TransportFaults
  let spoiler: ContractFaults

  init(store: Store, limits: LimitSettings, faults: FaultPlan, seed: UInt64) {
    self.store = store
    self.faults = faults
    gate = LimitGate(limits, faults: faults)
    stamp = RequestStamp(seed: seed)
    delays = DelayFaults(faults)
    transport = TransportFaults(faults)
    spoiler = ContractFaults(faults)
  }
}
