/// The slots of a counter over one base: the times at which the k-th increment can have taken effect, and the writes
/// that can have filled them.
struct CounterSlots {
  enum Failure: Hashable {
    /// A response shows fewer than this number after one that showed as many.
    case back(Int64)
    case missing
    /// More than were sent by then.
    case tooMany(Int64)
  }

  /// Nil without a contradiction.
  private(set) var failure: Failure?

  private struct Job {
    var first: Int
    var last: Int
    var isOptional: Bool
  }

  init(_ history: CounterHistory, base: Int64) {
    let count = history.increments.count
    var shown: Int64 = 0
    for view in history.views { shown = max(shown, view.value - base) }
    for increment in history.increments { shown = max(shown, (increment.shown ?? base) - base) }
    guard shown <= Int64(count) else {
      failure = .tooMany(shown + base)
      return
    }
    var earliest = [Int64](repeating: .min, count: count + 2)
    var latest = [Int64](repeating: .max, count: count + 2)
    for view in history.views {
      let value = view.value - base
      guard value >= 0 else {
        failure = .missing
        return
      }
      if value + 1 <= count { earliest[Int(value) + 1] = max(earliest[Int(value) + 1], view.span.from) }
      latest[Int(value)] = min(latest[Int(value)], view.span.until)
    }
    for increment in history.increments {
      guard let shown = increment.shown else { continue }
      guard shown - base >= 1 else {
        failure = .missing
        return
      }
      let slot = Int(shown - base)
      earliest[slot] = max(earliest[slot], increment.change.span.from)
      latest[slot] = min(latest[slot], increment.change.span.until)
    }
    for slot in 1..<max(count + 1, 1) { earliest[slot] = max(earliest[slot], earliest[slot - 1]) }
    for slot in stride(from: count - 1, through: 0, by: -1) { latest[slot] = min(latest[slot], latest[slot + 1]) }
    for slot in 1..<max(count + 1, 1) where earliest[slot] > latest[slot] {
      failure = .back(Int64(slot) + base)
      return
    }
    let slots = 1..<(count + 1)
    var jobs: [Job] = []
    for increment in history.increments {
      let span = increment.change.span
      var first = latest[slots].prefixCount { $0 < span.from } + 1
      var last = earliest[slots].prefixCount { $0 <= span.until }
      if let shown = increment.shown {
        first = max(first, Int(shown - base))
        last = min(last, Int(shown - base))
      }
      if first <= last {
        jobs.append(Job(first: first, last: last, isOptional: increment.change.isOptional))
      } else if !increment.change.isOptional {
        failure = .missing
        return
      }
    }
    jobs.sort { ($0.first, $0.last) < ($1.first, $1.last) }
    if !Self.places(jobs.filter { !$0.isOptional }, slots: count) {
      failure = .missing
    } else if !Self.fills(jobs, slots: Int(shown)) {
      failure = .tooMany(shown + base)
    }
  }

  /// True if every job can have a separate slot.
  private static func places(_ jobs: [Job], slots: Int) -> Bool {
    var open = OpenJobs(jobs)
    for slot in 1..<max(slots + 1, 1) {
      open.begin(upTo: slot)
      guard let last = open.slots.least else { continue }
      if last < slot { return false }
      open.slots.pop()
    }
    return open.slots.least == nil && open.isEmpty
  }

  /// True if every slot can have a separate job.
  private static func fills(_ jobs: [Job], slots: Int) -> Bool {
    var open = OpenJobs(jobs)
    for slot in 1..<max(slots + 1, 1) {
      open.begin(upTo: slot)
      while let last = open.slots.least, last < slot { open.slots.pop() }
      guard open.slots.least != nil else { return false }
      open.slots.pop()
    }
    return true
  }

  /// The last slots of the jobs that may have one by now.
  private struct OpenJobs {
    var slots = LastSlots()
    private let jobs: [Job]
    private var next = 0

    /// - Parameter jobs: by their first slots, ascending.
    init(_ jobs: [Job]) { self.jobs = jobs }

    var isEmpty: Bool { next == jobs.count }

    mutating func begin(upTo slot: Int) {
      while next < jobs.count, jobs[next].first <= slot {
        slots.push(jobs[next].last)
        next += 1
      }
    }
  }
}

/// A binary heap of numbers, the smallest at the top.
private struct LastSlots {
  private var heap: [Int] = []

  var least: Int? { heap.first }

  mutating func push(_ value: Int) {
    heap.append(value)
    var place = heap.count - 1
    while place > 0, heap[(place - 1) / 2] > heap[place] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func pop() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
