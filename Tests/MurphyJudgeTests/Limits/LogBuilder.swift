import MurphyModel

/// Writes a limit log by hand or from a simulation.
struct LogBuilder {
  var log = LimitLog(start: Instant(nanoseconds: 1_000_000_000))

  /// Whether devices named from now on carry values that were drawn in the run.
  var drawsDevices = false

  init(operations: [String] = ["voteLaw"]) { log.operations = operations }

  mutating func identity(_ device: String, address: String = "127.0.0.1") -> UInt32 {
    let identity = ClientIdentity(
      sourceAddress: address, headers: [HeaderField("x-device-id", device)],
      fresh: drawsDevices ? ["x-device-id"] : [])
    if let known = log.identities.firstIndex(of: identity) { return UInt32(known) }
    log.identities.append(identity)
    return UInt32(log.identities.count - 1)
  }

  /// Seconds since the run's start; nil for a response that never came.
  mutating func add(
    _ sent: Double, _ answered: Double?, _ status: UInt16, device: String = "device-1", operation: UInt32 = 0,
    headers: [HeaderField]? = nil, body: String? = nil
  ) {
    var headerSet: Int32 = -1
    if let headers {
      log.headerSets.append(headers)
      headerSet = Int32(log.headerSets.count - 1)
    }
    var bodyIndex: Int32 = -1
    if let body {
      log.bodies.append(body)
      bodyIndex = Int32(log.bodies.count - 1)
    }
    log.observations.append(
      LimitObservation(
        operation: operation, identity: identity(device), sent: log.start + Int64(sent * 1e9),
        answered: answered.map { log.start + Int64($0 * 1e9) }, status: answered == nil ? 0 : status,
        headers: headerSet, body: bodyIndex))
  }

  mutating func add(_ traffic: SimulatedTraffic, _ admitted: [Bool], device: String = "device-1", operation: UInt32 = 0)
  {
    for (index, request) in traffic.requests.enumerated() {
      add(request.sent, request.settled, admitted[index] ? 200 : 429, device: device, operation: operation)
    }
  }
}
