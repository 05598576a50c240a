import Foundation
import MurphyContract
import MurphyModel

/// The whole file around the sessions, with comments that explain the language.
struct DraftPage {
  let contract: Contract
  let options: ScenarioDraft.Options
  let sessions: [(name: String, steps: [DraftedStep])]
  private var left: [String] = []
  private var unsafe: [String] = []
  private var variables: [String] = []

  init(contract: Contract, options: ScenarioDraft.Options, sessions: [(name: String, steps: [DraftedStep])]) {
    (self.contract, self.options, self.sessions) = (contract, options, sessions)
  }

  mutating func addRemarks(left: [String], unsafe: [String], variables: [String]) {
    (self.left, self.unsafe, self.variables) = (left, unsafe, variables)
  }

  var text: String {
    var page = DraftText()
    page.add(
      comment:
        "This scenario is a draft by \(options.origin ?? "`murphy init` from \(options.contract)"). Check it and adapt "
        + "it."
    )
    page.add(
      "# `murphy check` lists the errors, `murphy try` prints every step of one user, and `murphy run` runs the load.")
    page.add("name: \(DraftText.word(title))")
    page.add("contract: \(DraftText.word(options.contract))")
    addTarget(to: &page)
    add(
      "The scenario reads these credentials from the environment (murphy run -e NAME=VALUE, or --env-file FILE):",
      variables, to: &page)
    if options.asksForTokens, let tokens = contract.tokenScheme?.clientCredentials {
      page.add("")
      addClient(tokens, to: &page)
    } else if !clientLines.isEmpty {
      page.add("")
      for line in clientLines where line.hasPrefix("#") { page.add(line) }
      page.add("client: { \(clientLines.filter { !$0.hasPrefix("#") }.joined(separator: ", ")) }")
    }
    if let login = options.login {
      page.add("")
      page.add("# Each user requests its own token before its first session.")
      page.add("login:")
      page.write([.call(login.call)], indent: 2)
    }
    addFeeds(to: &page)
    page.add("")
    page.add("# Each session lists the steps of one type of user. The function pick() chooses a random item of a list.")
    page.add(sessions.isEmpty ? "sessions: {}" : "sessions:")
    for session in sessions {
      page.add("  \(DraftText.word(session.name)):")
      if let share = options.plan?.share(of: session.name) { page.add("    share: \(share)") }
      page.add("    steps:")
      page.write(session.steps, indent: 6)
    }
    for limit in options.origin == nil ? testedLimits : [] {
      page.add("  # One user sends more requests than the contract allows, to check that the API enforces the limit.")
      page.add("  \(DraftText.word("too many " + limit.operation)):")
      page.add("    share: 0.1")
      page.add("    steps:")
      page.add("      - burst: \(limit.requests)")
      page.add("        over: 1s")
      page.add("        call: \(DraftText.word(limit.operation))")
      if let login = options.login, let index = contract.index(of: limit.operation),
        login.covers(contract.operations[index])
      {
        page.add("        headers: { Authorization: \"Bearer ${\(DraftLogin.token)}\" }")
      }
    }
    page.add("")
    addLoad(to: &page)
    page.add("")
    addExpectations(to: &page)
    addSuggestions(to: &page)
    add("Operations that change data (to draft steps for them, use murphy init --writes):", unsafe, to: &page)
    add(
      options.origin == nil
        ? "Operations for which the draft has no step:"
        : "Parts of the imported file that this scenario does not contain:", left, to: &page)
    return page.text
  }

  private func add(_ title: String, _ rows: [String], to page: inout DraftText) {
    guard !rows.isEmpty else { return }
    page.add("")
    for line in [title] + rows.map({ "  " + $0 }) { page.add(comment: line) }
  }

  private func addClient(_ tokens: SecurityScheme.ClientCredentials, to page: inout DraftText) {
    page.add("client:")
    for line in clientLines { page.add("  " + line) }
    page.add("  # Each user requests its own token; `shared: true` requests one token for all users.")
    page.add("  auth:")
    page.add("    oauth2:")
    page.add("      token-url: \(DraftText.literal(.string(tokens.tokenURL)))")
    page.add("      client-id: ${env(\(Contract.clientID))}")
    page.add("      client-secret: ${env(\(Contract.clientSecret))}")
    if !tokens.scopes.isEmpty {
      page.add("      scope: \(DraftText.literal(.string(tokens.scopes.joined(separator: " "))))")
    }
  }

  /// A header with a different value for each user, if a documented limit identifies users by a header; and whether
  /// users keep cookies.
  private var clientLines: [String] {
    let fields = contract.userHeaders.map { "\(DraftText.word($0)): \"${uuid()}\"" }.joined(separator: ", ")
    let headers = [
      "# Each user has a different value, because the contract counts its rate limits by this header.",
      "headers: { \(fields) }",
    ]
    let cookies = ["# The credentials are not in a cookie, so users do not send cookies back.", "cookies: false"]
    return (fields.isEmpty ? [] : headers) + (options.keepsCookies ? [] : cookies)
  }

  private var title: String { contract.title.isEmpty ? "First gate" : contract.title + " gate" }

  private func addTarget(to page: inout DraftText) {
    // Credentials of the command line are not written to a file.
    if let target = options.target.map(URLCredentials.removed) {
      return page.add("target: \(DraftText.word(target))")
    }
    let known = contract.servers.map { $0.url() }.first { $0.hasPrefix("http") }
    let url = known ?? "http://127.0.0.1:8080" + ScenarioDraft.basePath(contract)
    page.add(comment: "target: \(url) # or use --target; send load only to servers for which you have permission")
  }

  /// Sessions per second at which no documented limit is reached, even if all users are counted together. The server
  /// kept up with this rate.
  var rate: Double {
    let limits = contract.operations.flatMap { operation in
      operation.documentedLimits.compactMap { limit -> Double? in
        guard !countsEachUser(limit.key?.headerNames ?? []), let allow = limit.allow, let window = limit.per?.inSeconds,
          window > 0
        else { return nil }
        return Double(allow) / window
      }
    }
    // A session calls an operation once or twice, and there are several kinds of session.
    let most = limits.min().map { max($0 * Double(max(sessions.count, 1)) / 4, 0.5) } ?? 10
    let stated = statedLimits.map(\.rate).min() ?? 10
    let rate = max((min(most, stated, 10) * 10).rounded(.down) / 10, 0.1)
    // Half of the rate that a server with a queue reached: a calm run should end without a queue.
    return keepsUp ? rate : min(rate, max((rate * options.answeredShare * 5).rounded(.down) / 10, 0.5))
  }

  /// The limits that only descriptions state and that all users share, each with the rate of sessions that reaches half
  /// of it. The next run then has a quota, too.
  private var statedLimits: [(operation: String, limit: StatedLimit, rate: Double)] {
    contract.operations.compactMap { operation in
      guard let limit = StatedLimit(operation), limit.key == "address" || options.sharesToken else { return nil }
      let calls = sessions.flatMap(\.steps.calls).count { $0.operation == operation.id }
      let perSession =
        Double(calls) / Double(max(sessions.count, 1)) + (options.login?.operation == operation.id ? 1 : 0)
      guard perSession > 0 else { return nil }
      return (operation.id, limit, Double(limit.allow) / limit.window.inSeconds / perSession / 2)
    }
  }

  private var keepsUp: Bool { options.answeredShare >= ScenarioDraft.Options.keepingUp }

  /// True if each user has its own quota under a limit that is counted by these headers.
  private func countsEachUser(_ headers: some Collection<String>) -> Bool {
    !headers.isEmpty && !(options.sharesToken && headers.allSatisfy { $0 == "authorization" })
  }

  /// Seconds of steady load in which each kind of session begins often enough for a p95, within practical bounds.
  private var seconds: Int { min(max(Int(saturating: (70 * Double(sessions.count) / rate).rounded(.up)), 25), 115) }

  /// The highest percentile that this number of samples can decide. Let all n samples be below the budget. Then the
  /// p-th percentile is too, with a certainty of 95 % where p^n < 0.05.
  private var percentile: String {
    let calls = Double(seconds) * rate / Double(max(sessions.count, 1))
    return calls >= 65 ? "p95" : calls >= 32 ? "p90" : "p50"
  }

  /// Reads without required input, under a documented limit that counts each user separately: one for each policy.
  private var testedLimits: [(operation: String, requests: Int)] {
    var seen: Set<String> = []
    return contract.operations.compactMap { operation in
      guard operation.method == "GET", operation.mistakes.isEmpty, options.refused[operation.id] == nil,
        !options.unreached.contains(operation.id), operation.parameters.allSatisfy({ !$0.isRequired }),
        let limit = operation.documentedLimits.first, countsEachUser(limit.key?.headerNames ?? []),
        let allow = limit.allow, (1...200).contains(allow), let window = limit.per, window <= .seconds(600),
        seen.insert("\(allow) \(window)").inserted
      else { return nil }
      return (operation.id, allow + 5)
    }
  }

  /// Data files, and steps before and after the load.
  private func addFeeds(to page: inout DraftText) {
    guard let plan = options.plan else { return }
    if !plan.feeds.isEmpty {
      page.add("")
      page.add("feeds:")
      for feed in plan.feeds { page.add("  \(feed.name): \(feed.line)") }
    }
    for (key, steps) in [("setup", plan.setup), ("teardown", plan.teardown)] where !steps.isEmpty {
      page.add("")
      page.add("\(key):")
      page.write(steps, indent: 2)
    }
  }

  private func addLoad(to page: inout DraftText) {
    if let load = options.plan?.load {
      for line in load { page.add(line) }
      return
    }
    let seconds = seconds
    let rate = Measured.text(rate)
    page.add(
      "# The arrival rate rises from 0 to \(rate) users per second, then it is constant. Each user runs one session.")
    if !keepsUp { page.add("# In the calm run, the API did not keep up with a higher load.") }
    for stated in statedLimits {
      page.add(comment: "The load stays below the rate limit of \(stated.operation): \(stated.limit.text).")
    }
    page.add("load:")
    page.add("  - { ramp: 0/s..\(rate)/s, for: 5s }")
    page.add("  - { hold: \(rate)/s, for: \(seconds)s }")
  }

  /// The operations that the run must call, if the target rejected others each time. Values that it accepts, or data
  /// that others create, may be missing there. Credentials are left to the user.
  private func addCalled(to page: inout DraftText) {
    var seen: Set<String> = []
    let called = sessions.flatMap(\.steps.calls).map(\.operation).filter { seen.insert($0).inserted }
    let required = called.filter { options.refused[$0] == nil || lacksCredentials($0) }
    guard required.count < called.count, !required.isEmpty else { return }
    page.add("  # The run must call these operations, which succeeded in the calm run.")
    page.add("  called:")
    for operation in required { page.add("    - \(DraftText.word(operation))") }
  }

  /// True if the target rejected the credentials of an operation that needs them. A login needs none.
  private func lacksCredentials(_ operation: String) -> Bool {
    options.refused[operation]?.contains(401) == true
      && contract.index(of: operation).map { contract.operations[$0].isOpen } != true
  }

  /// Rules that hold only if the names in the document mean what they usually mean.
  private func addSuggestions(to page: inout DraftText) {
    let called = Set(sessions.flatMap(\.steps.calls).map(\.operation))
    let suggestions = Suggestions(contract, called: called, hasLogin: options.login != nil)
    guard options.origin == nil, !suggestions.lines.isEmpty else { return }
    page.add("  # Suggested rules: to use a rule, remove the first \"# \" from its lines and from the line of its key.")
    for line in suggestions.lines { page.add("  # " + DraftText.line(line)) }
  }

  private func addExpectations(to page: inout DraftText) {
    let hasLimits = contract.operations.contains { !$0.documentedLimits.allSatisfy { $0.allow == nil } }
    page.add(
      "# Murphy always checks every response against the contract."
        + (hasLimits ? " It also checks documented rate limits." : ""))
    page.add("expect:")
    addCalled(to: &page)
    page.add("  budgets:")
    if let budgets = options.plan?.budgets, !budgets.isEmpty {
      for budget in budgets { page.add("    \(budget)") }
      return
    }
    if options.measured.isEmpty {
      page.add(
        options.isMeasured
          ? "    # No operation had enough successful responses in the calm run for its own budget."
          : "    # These budgets are not measured. To measure them in a short calm run, use murphy init --target URL.")
      page.add("    \"*\": { \(percentile): 1s, errors: 1% }")
      return
    }
    page.add("    # Each budget is three times the p95 that murphy measured in a short calm run.")
    let width = options.measured.map { DraftText.word($0.operation).count }.max() ?? 0
    for row in options.measured {
      let name = DraftText.word(row.operation)
      let budget = "\(name): { \(percentile): \(Measured.budget(row.p95)) }".padding(
        toLength: width + 20, withPad: " ", startingAt: 0)
      page.add("    \(budget) # \(Measured.milliseconds(row.p95)), \(row.answers) responses")
    }
    page.add("    \"*\": { errors: 1% }")
  }
}

extension Contract {
  /// The environment variables with which a drafted client requests tokens.
  package static let clientID = "MURPHY_CLIENT_ID"
  static let clientSecret = "MURPHY_CLIENT_SECRET"

  /// Environment variables with the credentials that a drafted scenario requires.
  func draftedVariables(_ asksForTokens: Bool) -> [String] {
    guard asksForTokens, let scheme = tokenScheme else { return credentialVariables }
    return credentialVariables.filter { $0 != scheme.environmentVariable } + [Self.clientID, Self.clientSecret]
  }

  /// Headers by which a documented limit identifies users, as operations spell them. Each user has its own value.
  var userHeaders: [String] {
    let keys = Set(operations.flatMap(\.documentedLimits).flatMap { $0.key?.headerNames ?? [] })
    let spelled = operations.flatMap(\.parameters).filter { $0.location == .header }.map(\.name)
    return keys.subtracting(["authorization"]).sorted().map { key in spelled.first { $0.lowercased() == key } ?? key }
  }
}
