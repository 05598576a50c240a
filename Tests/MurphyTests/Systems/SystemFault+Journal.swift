extension SystemFault {
  /// The faults of the journal.
  static let journal: [SystemFault] = [
    SystemFault("entry-without-version", .contract, "getEntry"),
    SystemFault("version-as-text", .contract, "pullEntries"),
    SystemFault("version-zero", .contract, "pushEntry"),
    SystemFault("date-without-zone", .contract, "getEntry"),
    SystemFault("has-more-as-number", .contract, "pullEntries"),
    SystemFault("content-doubled", .contract, "getEntry"),
    SystemFault("wrong-platform", .contract, "registerPushToken"),
    SystemFault("conflict-without-entry", .contract, "pushEntry"),
    SystemFault("conflict-as-412", .contract, "pushEntry"),
    SystemFault("conflict-as-500", .contract, "pushEntry"),
    // The gate says which status a stale push must have.
    SystemFault("stale-push-accepted", .contract, "pushEntry", only: ["hasty"]),
    SystemFault("future-push-accepted", .contract, "pushEntry", only: ["hasty"]),
    SystemFault("serial-pushes", .budget, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("slow-pull", .budget, "pullEntries"),
    SystemFault("conflict-without-reason", .traffic, nil, only: ["write"]),
    SystemFault("stream-skips-change", .traffic, nil, in: "live"),
    SystemFault("push-token-lost", .state, nil, only: ["settings"]),
    SystemFault("push-token-twice", .state, "registerPushToken", only: ["settings"]),
    SystemFault("push-token-of-another", .state, "listPushTokens", rate: 20, isConcurrent: true),
    SystemFault("removed-push-token-stays", .state, "listPushTokens", only: ["settings"]),
    SystemFault("version-twice", .state, "pushEntry", rate: 20, isConcurrent: true),
    SystemFault("pushes-mixed-up", .state, "pushEntry", isConcurrent: true),
    // The gate says whose entries an author pulls.
    SystemFault("logins-mixed-up", .contract, "pullEntries", only: ["hasty"], rate: 40, isConcurrent: true),
    SystemFault("pulls-mixed-up", .contract, "pullEntries", only: ["hasty"], rate: 40, isConcurrent: true),
    SystemFault("pull-of-another", .contract, "pullEntries", only: ["hasty"]),
    SystemFault("lost-update", .state, nil),
    SystemFault("push-forgotten", .state, nil),
    SystemFault("version-skips", .state, "pushEntry"),
    SystemFault("conflict-shows-wrong-version", .state, nil),
    SystemFault("conflict-shows-own-content", .state, nil),
    SystemFault("read-goes-back", .state, nil),
    SystemFault("stale-entries", .state, nil),
    SystemFault("pull-misses-entry", .relation, "pullEntries", "skips"),
    SystemFault("synced-too-far", .relation, "pullEntries", "cursor"),
    SystemFault("pull-repeats", .relation, "pullEntries", "repeats"),
    SystemFault("pull-unsorted", .relation, "pullEntries", "order"),
    SystemFault("pull-limit-ignored", .relation, "pullEntries", "page-size"),
    SystemFault("pull-ends-early", .relation, "pullEntries", "cursor"),
    SystemFault("pull-never-ends", .relation, "pullEntries", "cursor"),
    SystemFault("entry-of-another", .relation, "getEntry", "identity", rate: 30),
  ]

  /// Those of every system that the journal's limits show.
  static let journalLimits = [
    SystemFault("limit-plus-one", .limit, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("limit-minus-one", .limit, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("limit-per-process", .limit, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("limit-key-global", .limit, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("limit-race", .limit, "pushEntry", only: ["offline"], rate: 2, isConcurrent: true),
    SystemFault("limit-503", .contract, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("retry-after-missing", .contract, "pushEntry", only: ["offline"], rate: 2),
    SystemFault("bare-error", .contract, "removePushToken", only: ["settings"]),
  ]
}
