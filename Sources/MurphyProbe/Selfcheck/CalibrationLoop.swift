import Glibc
import MurphyModel

/// The thread of the calibration server: it accepts, reads requests, waits for the generated delay, and responds.
struct CalibrationLoop {
  let listener: CInt
  let paths: [String: CalibrationBehaviour]
  private var random: RandomSource
  private var connections: [CInt: CalibrationConnection] = [:]
  /// Pending responses, the earliest last.
  private var pending: [Pending] = []
  private var windows: [String: Window] = [:]
  private var schemaResponses = 0

  fileprivate struct Pending {
    var due: Int64
    var received: Int64
    var connection: CInt
    var path: String
  }

  /// The window for one key of a limit.
  private struct Window {
    var began: Int64
    var admitted: Int
  }

  init(listener: CInt, paths: [String: CalibrationBehaviour], seed: UInt64) {
    self.listener = listener
    self.paths = paths
    random = RandomSource(seed: seed)
  }

  /// The interval between two checks for a stop, in nanoseconds.
  private static let pulse: Int64 = 50_000_000

  /// One wait and its processing; false when the server has ended.
  mutating func turn(_ server: CalibrationServer) -> Bool {
    guard !server.isStopped else {
      for descriptor in connections.keys { close(descriptor) }
      close(listener)
      return false
    }
    let wait = pending.last.map { max($0.due - CalibrationSocket.now, 0) } ?? Self.pulse
    let ready = CalibrationSocket.wait(for: [listener] + connections.keys, nanoseconds: min(wait, Self.pulse))
    if let length = server.takeFreeze() {
      let begin = CalibrationSocket.now
      CalibrationSocket.sleep(until: begin + length.nanoseconds)
      let end = CalibrationSocket.now
      server.updateLog { $0.freezes.append(begin...end) }
    }
    let received = CalibrationSocket.now
    for descriptor in ready {
      if descriptor == listener { accept() } else { read(descriptor, received, server) }
    }
    sendDue(server)
    return true
  }

  private mutating func accept() {
    while let descriptor = CalibrationSocket.accept(listener) {
      guard descriptor < CalibrationSocket.mostDescriptors else {
        close(descriptor)
        return
      }
      connections[descriptor] = CalibrationConnection()
    }
  }

  private mutating func read(_ descriptor: CInt, _ received: Int64, _ server: CalibrationServer) {
    guard let bytes = CalibrationSocket.receive(from: descriptor) else {
      close(descriptor)
      connections[descriptor] = nil
      pending.removeAll { $0.connection == descriptor }
      return
    }
    connections[descriptor]?.append(bytes)
    while let request = connections[descriptor]?.nextRequest() {
      respond(to: request, descriptor, received, server)
    }
  }

  private mutating func respond(
    to request: CalibrationRequest, _ descriptor: CInt, _ received: Int64, _ server: CalibrationServer
  ) {
    switch paths[request.path] {
    case .delay(let distribution):
      let due = received + distribution.draw(&random)
      let response = Pending(due: due, received: received, connection: descriptor, path: request.path)
      let place = pending.partitioningIndex { $0.due <= due }
      pending.insert(response, at: place)
    case .limit(let admitted, let window):
      limit(request, to: admitted, in: window.nanoseconds, descriptor, server)
    case .breakSchema(let oneIn):
      schemaResponses += 1
      let breaks = schemaResponses.isMultiple(of: oneIn)
      if breaks { server.updateLog { $0.broken += 1 } }
      send(breaks ? CalibrationResponse.broken : CalibrationResponse.good, to: descriptor)
    case nil:
      send(CalibrationResponse.unknown, to: descriptor)
    }
  }

  private mutating func limit(
    _ request: CalibrationRequest, to most: Int, in length: Int64, _ descriptor: CInt, _ server: CalibrationServer
  ) {
    let now = CalibrationSocket.now
    let key = request.path + " " + request.key
    var window = windows[key].flatMap { now - $0.began < length ? $0 : nil } ?? Window(began: now, admitted: 0)
    let isAdmitted = window.admitted < most
    if isAdmitted { window.admitted += 1 }
    windows[key] = window
    let left = window.began + length - now
    // Before the send: a client with the response may query the counts.
    server.updateLog { if isAdmitted { $0.admitted += 1 } else { $0.refused += 1 } }
    send(isAdmitted ? CalibrationResponse.good : CalibrationResponse.refused(nanoseconds: left), to: descriptor)
  }

  private mutating func sendDue(_ server: CalibrationServer) {
    while let response = pending.last, response.due <= CalibrationSocket.now {
      pending.removeLast()
      // Before the send: the response may be read before the call returns.
      let imposed = CalibrationSocket.now - response.received
      server.updateLog { $0.imposed[response.path, default: []].append(imposed) }
      send(CalibrationResponse.good, to: response.connection)
    }
  }

  private mutating func send(_ bytes: [UInt8], to descriptor: CInt) {
    guard !CalibrationSocket.send(bytes, to: descriptor) else { return }
    close(descriptor)
    connections[descriptor] = nil
  }
}

extension [CalibrationLoop.Pending] {
  /// The first index with an element that satisfies the condition; all later elements satisfy it too.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
