import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

/// One loop's part of a run: its users, their connections, its recorder. Everything happens on the loop.
final class Shard {
  let context: RunContext
  let loop: EventLoop
  let number: Int
  let transport: Transport
  let recorder: Recorder
  let judge: ResponseJudge
  let parser = TapeParser()
  let requests: RequestWriter
  let schemas = InlineSchemas()

  /// Users with a session running.
  private(set) var users = 0
  private(set) var peakUsers = 0
  /// Requests and sessions end now: the grace is over or the run was stopped.
  private(set) var isOver = false
  /// No session begins any more.
  private(set) var isStopped = false
  /// Sessions in Swift, to be told when the load is over.
  var writtenTasks: [Int: Task<Void, Never>] = [:]
  var connections = ConnectionPool()
  private var idleWaiter: UnsafeContinuation<Void, Never>?

  init(context: RunContext, loop: EventLoop, number: Int) {
    self.context = context
    self.loop = loop
    self.number = number
    transport = Transport(
      loop: loop, origin: context.origin, options: context.transport, resolved: context.resolved)
    recorder = Recorder(context: context)
    judge = ResponseJudge(contract: context.contract, options: context.judging)
    requests = RequestWriter(context: context)
  }

  /// The most users of this loop at a time.
  var userLimit: Int { max(context.options.userLimit / context.loops, 1) }

  func began(_ session: Int) {
    users += 1
    peakUsers = max(peakUsers, users)
    recorder.sessions[session].started += 1
  }

  /// A session that failed before its first step, as by a template of its client.
  func failedToBegin(_ session: Int, _ reason: String) {
    recorder.sessions[session].started += 1
    recorder.sessions[session].failed.count(reason)
  }

  func ended(_ arrival: Arrival, _ end: SessionEnd?) {
    users -= 1
    let isWritten = writtenTasks.removeValue(forKey: arrival.index) != nil
    switch end {
    // A session in Swift may swallow the error that told it of the end.
    case nil where isWritten && isOver: recorder.sessions[arrival.session].unfinished += 1
    case nil, .completed: recorder.sessions[arrival.session].completed += 1
    case .failed(let reason): recorder.sessions[arrival.session].failed.count(reason)
    case .left(let reason): recorder.sessions[arrival.session].left.count(reason)
    case .cut: recorder.sessions[arrival.session].unfinished += 1
    }
    if users == 0 { idleWaiter.take()?.resume() }
  }

  /// Lets no session begin any more.
  func stopArrivals() { isStopped = true }

  /// Ends everything now: sleeps, requests in flight, sessions.
  func cut() {
    if recorder.closed == nil { recorder.closed = .now }
    isStopped = true
    isOver = true
    for task in writtenTasks.values { task.cancel() }
    transport.abandonAll()
    loop.interruptSleepers()
  }

  /// Suspends until no user is left, or `abandonUsers` was called.
  func idle() async {
    guard users > 0 else { return }
    await withUnsafeContinuation { idleWaiter = $0 }
  }

  /// Resumes `idle` although sessions still run; they are counted as unfinished.
  func abandonUsers() { idleWaiter.take()?.resume() }
}
