/// Shell commands on one line that reproduce a finding: requests, one after another or at once, with pauses.
///
/// The line can be pasted into sh, bash and zsh, interactive or not. Notes are arguments of the command `:`, which does
/// nothing, because an interactive zsh has no comments.
package struct CurlScript: Sendable, Hashable {
  /// One part of a script.
  package enum Step: Sendable, Hashable {
    /// One after another; equal requests, or those that differ in one argument, become a loop.
    case requests([CurlRequest])
    /// All at once; the script continues when all are answered, and at the earliest after `lasting`.
    case volley([CurlRequest], lasting: Duration? = nil)
    /// One request `count` times by one command, each over its own connection: as many at once as curl can send.
    case together(CurlRequest, count: Int)
    case pause(Duration)
    /// Stores the response body of a request in a variable.
    case keep(ShellVariable, bodyOf: CurlRequest)
    /// Stores the result of a jq filter on a stored body.
    case extract(ShellVariable, from: ShellVariable, filter: String)
    /// Stores a whole response, headers and body, in a variable.
    case keepResponse(ShellVariable, to: CurlRequest)
    /// Stores the result of a jq filter on the body of a stored response.
    case extractFromBody(ShellVariable, from: ShellVariable, filter: String)
    /// Stores the value of a header of a stored response.
    case extractHeader(ShellVariable, from: ShellVariable, name: String)
    /// Creates an empty file for cookies and stores its name.
    case cookieFile(ShellVariable)
    /// Generates a new value in a variable, for a client that the API has not seen before.
    case draw(ShellVariable, Drawn = .uuid)
    /// A note for the reader.
    case note(String)
  }

  /// A value that no earlier run of the script had.
  package enum Drawn: Sendable, Hashable {
    case uuid
    /// This number of letters and digits, at most 32.
    case letters(Int)
  }

  /// In the order of their execution.
  package var steps: [Step]

  package init(_ steps: [Step] = []) { self.steps = steps }

  package init(_ request: CurlRequest) { steps = [.requests([request])] }

  /// A request that was sent and must be repeated.
  package struct Sent {
    /// The time since a common zero.
    package var moment: Duration
    /// The request as it was sent.
    package var request: CurlRequest
    /// The status of the response, or any other number for another result.
    package var outcome: Int

    package init(moment: Duration, request: CurlRequest, outcome: Int) {
      self.moment = moment
      self.request = request
      self.outcome = outcome
    }
  }

  /// Requests at their times (ascending), with pauses that reproduce those times. Each is sent at its time or later by
  /// curl's start time, never before. Requests less than `together` apart are one volley, sent at the time of
  /// the last of them. They must have the same outcome: different outcomes depend on earlier responses.
  package init(replaying requests: [Sent], together: Duration = .milliseconds(250)) {
    steps = []
    var groups: [ArraySlice<Sent>] = []
    for (index, request) in requests.enumerated() {
      if let last = groups.last?.last, request.moment - last.moment < together, request.outcome == last.outcome {
        groups[groups.count - 1] = requests[groups[groups.count - 1].startIndex...index]
      } else {
        groups.append(requests[index...index])
      }
    }
    // The time by which the script may be ahead of the recorded times.
    var ahead = Duration.zero
    for (group, next) in zip(groups, groups.dropFirst() + [[]]) {
      if let this = group.last, let then = next.last { ahead += then.moment - this.moment }
      let pause = next.isEmpty || ahead < Self.shortestPause ? nil : ahead
      if group.count == 1 {
        steps.append(.requests(group.map(\.request)))
        if let pause { steps.append(.pause(pause)) }
      } else {
        steps.append(.volley(group.map(\.request), lasting: pause))
      }
      if pause != nil { ahead = .zero }
    }
  }

  /// About the start time of curl on a busy machine.
  private static let shortestPause: Duration = .milliseconds(100)

  /// The number of repetitions needed to reproduce, with 99 %, an effect that a share of the responses shows; 1 for
  /// nearly all of them.
  package static func repetitions(toSee share: Double, atMost most: Int = 500) -> Int {
    guard share < 0.9 else { return 1 }
    var missed = 1.0
    var count = 0
    while missed > 0.01, count < most {
      missed *= 1 - max(share, 0)
      count += 1
    }
    return count
  }

  /// Begins with a note on each variable that the script needs and does not set itself: secrets, which are not printed.
  package var text: ShellScript {
    let needed = missing.map { ": \"${\($0.name):?set this variable first, murphy does not print secrets}\"" }
    return ShellScript(needed.map { $0 + "; " }.joined() + Self.chained(steps))
  }

  /// Variables that the script reads and does not set, in the order of their first use.
  private var missing: [ShellVariable] {
    var known: Set<ShellVariable> = []
    var missing: [ShellVariable] = []
    func read(_ requests: [CurlRequest]) {
      for variable in requests.flatMap(\.variables) where known.insert(variable).inserted { missing.append(variable) }
    }
    for step in steps {
      switch step {
      case .requests(let requests), .volley(let requests, _): read(requests)
      case .together(let request, _): read([request])
      case .keep(let variable, let request), .keepResponse(let variable, let request):
        read([request])
        known.insert(variable)
      case .extract(let variable, _, _), .extractFromBody(let variable, _, _), .extractHeader(let variable, _, _),
        .cookieFile(let variable), .draw(let variable, _):
        known.insert(variable)
      case .pause, .note: break
      }
    }
    return missing
  }

  /// One step after the other; steps that depend on a value from a response run only if it was found.
  private static func chained(_ steps: [Step]) -> String {
    var text = ""
    for (index, step) in steps.enumerated() {
      text += Self.text(step)
      guard index + 1 < steps.count else { break }
      text += "; "
      switch step {
      case .extract(let variable, _, _), .extractFromBody(let variable, _, _), .extractHeader(let variable, _, _):
        let word = ShellWord(variable).quoted
        let rest = chained(Array(steps[(index + 1)...]))
        return text + "if [ -n \(word) ] && [ \(word) != null ]; then \(rest); else echo 'no \(variable.name)'; fi"
      default: break
      }
    }
    return text
  }

  private static func text(_ step: Step) -> String {
    switch step {
    case .requests(let requests): loops(requests, areBackground: false).joined(separator: "; ")
    // In a subshell, an interactive shell does not report each job.
    case .volley(let requests, let lasting):
      "(" + loops(requests, areBackground: true).joined(separator: " ") + " "
        + (lasting.map { sleep($0) + "; " } ?? "") + "wait)"
    case .together(let request, let count): request.parallel(count)
    case .pause(let time): sleep(time)
    case .keep(let variable, let request), .keepResponse(let variable, let request):
      "\(variable.name)=$(\(request.text))"
    case .extract(let variable, let response, let filter):
      "\(variable.name)=$(printf '%s' \(ShellWord(response).quoted) | jq -r \(ShellWord(filter).quoted))"
    case .extractFromBody(let variable, let response, let filter):
      "\(variable.name)=$(\(lines(of: response)) | sed '1,/^$/d' | jq -r \(ShellWord(filter).quoted))"
    case .extractHeader(let variable, let response, let name):
      "\(variable.name)=$(\(lines(of: response)) | sed '/^$/q' | awk -F: -v wanted=\(ShellWord(name.lowercased()).quoted) "
        + "'tolower($1) == wanted { sub(/^[^:]*:[ \\t]*/, \"\"); print; exit }')"
    case .cookieFile(let variable): "\(variable.name)=$(mktemp)"
    case .draw(let variable, .uuid): "\(variable.name)=$(\(newUUID))"
    case .draw(let variable, .letters(let count)):
      "\(variable.name)=$( (\(newUUID)) | tr -d - | cut -c 1-\(count))"
    case .note(let text): ": " + ShellWord(text).quoted
    }
  }

  private static let newUUID = "uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid"

  /// In hundredths of a second, rounded up.
  private static func sleep(_ time: Duration) -> String {
    "sleep \(Double((max(time, .zero).nanoseconds + 9_999_999) / 10_000_000) / 100)"
  }

  /// A stored response without the carriage returns of its header lines.
  private static func lines(of response: ShellVariable) -> String {
    "printf '%s\\n' \(ShellWord(response).quoted) | tr -d '\\r'"
  }

  /// Runs of requests that are equal or differ in one word, as loops; the rest unchanged.
  private static func loops(_ requests: [CurlRequest], areBackground: Bool) -> [String] {
    var commands: [String] = []
    var index = 0
    while index < requests.count {
      var run = Run(requests[index])
      while index + run.count < requests.count, run.append(requests[index + run.count]) {}
      commands.append(run.text(isBackground: areBackground))
      index += run.count
    }
    return commands
  }

  /// Requests that share all words except one.
  private struct Run {
    let first: CurlRequest
    let words: [String]
    /// The word in which the others differ.
    var place: Int?
    var values: [String] = []
    var count = 1

    init(_ first: CurlRequest) {
      self.first = first
      words = first.words
    }

    /// - Returns: true if the request joins the run.
    mutating func append(_ request: CurlRequest) -> Bool {
      let others = request.words
      guard others.count == words.count, request.pipedBody == first.pipedBody else { return false }
      let different = words.indices.filter { words[$0] != others[$0] }
      switch (place, different.count) {
      case (nil, 0): break
      case (nil, 1) where count == 1:
        place = different[0]
        values = [words[different[0]], others[different[0]]]
      case (let place?, ...1) where different.isEmpty || different == [place]: values.append(others[place])
      default: return false
      }
      count += 1
      return true
    }

    func text(isBackground: Bool) -> String {
      func body(_ words: [String]) -> String { first.command(words) + (isBackground ? " &" : "") }
      if count == 1 { return body(words) }
      let last = isBackground ? " done;" : "; done"
      guard let place else {
        // One curl for all of them: a machine that starts dozens would be too slow to reproduce the effect.
        if isBackground, count > 2, first.output == .status, first.pipedBody == nil {
          return first.parallel(count) + " &"
        }
        return "for i in $(seq \(count)); do " + body(words) + last
      }
      var shared = words
      shared[place] = "\"$VALUE\""
      return "for VALUE in \(values.joined(separator: " ")); do " + body(shared) + last
    }
  }
}
