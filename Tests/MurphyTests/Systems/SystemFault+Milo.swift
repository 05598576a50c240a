extension SystemFault {
  /// The faults of the push service.
  static let milo: [SystemFault] = [
    SystemFault("ticket-without-status", .contract, "sendPush"),
    SystemFault("ticket-id-as-number", .contract, "sendPush"),
    SystemFault("status-sent", .contract, "sendPush"),
    SystemFault("error-without-details", .contract, "sendPush"),
    SystemFault("tickets-under-201", .contract, "sendPush"),
    SystemFault("receipt-without-status", .contract, "getReceipts"),
    SystemFault("unknown-receipt-error", .contract, "getReceipts", only: ["old-phone"]),
    SystemFault("bare-token", .contract, "getExpoPushToken"),
    SystemFault("refusal-not-transient", .contract, "sendPush", only: ["flood"], rate: 1),
    SystemFault("limit-counts-requests", .limit, "sendPush", in: "limit", rate: 1),
    SystemFault("serial-sends", .budget, "sendPush", only: ["flood"], rate: 2),
    SystemFault("tickets-swapped", .state, "sendPush"),
    SystemFault("ticket-missing", .state, "sendPush"),
    SystemFault("ticket-extra", .state, "sendPush"),
    SystemFault("ticket-id-twice", .state, "sendPush"),
    SystemFault("tickets-mixed-up", .state, "sendPush", isConcurrent: true),
    SystemFault("dead-phone-accepted", .state, "sendPush"),
    SystemFault("live-phone-refused", .state, "sendPush"),
    SystemFault("receipt-missing", .state, "getReceipts"),
    SystemFault("receipt-not-asked-for", .state, "getReceipts"),
    SystemFault("receipts-mixed-up", .state, "getReceipts", rate: 30, isConcurrent: true),
    SystemFault("receipts-swapped", .state, "getReceipts", only: ["old-phone"]),
    SystemFault("receipt-flips", .state, "getReceipts", only: ["check-in"]),
    SystemFault("gone-phone-receipt-ok", .state, "getReceipts", only: ["old-phone"]),
    // The gate says what the phones of a family show, and what becomes of what it sends.
    SystemFault("token-changes", .contract, "getExpoPushToken", only: ["check-in"]),
    SystemFault("tokens-mixed-up", .contract, "listNotifications", only: ["need-help"], rate: 40, isConcurrent: true),
    SystemFault("push-lost", .contract, "listNotifications"),
    SystemFault("push-twice", .contract, "listNotifications"),
    SystemFault("push-to-neighbour", .contract, "listNotifications", only: ["need-help"], rate: 40, isConcurrent: true),
  ]

  /// Those of every system that the push service's limit shows.
  static let miloLimits = [
    SystemFault("limit-unlimited", .contract, "sendPush", only: ["flood"], rate: 1),
    SystemFault("limit-per-process", .contract, "sendPush", only: ["flood"], rate: 1),
    SystemFault("limit-key-global", .contract, "sendPush", only: ["flood"], rate: 2),
    SystemFault("retry-after-fraction", .contract, "sendPush", only: ["flood"], rate: 1),
    SystemFault("bare-error", .contract, "sendPush", only: ["mistakes"]),
  ]
}
