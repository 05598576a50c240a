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
    // The gate says which request is one too many.
    SystemFault("limit-counts-requests", .contract, "sendPush", only: ["flood"], rate: 1),
    SystemFault("serial-sends", .budget, "sendPush", only: ["flood"], rate: 2),
    SystemFault("tickets-swapped", .state, "sendPush", "delivery"),
    SystemFault("ticket-missing", .state, "sendPush", "delivery"),
    SystemFault("ticket-extra", .state, "sendPush", "delivery"),
    SystemFault("ticket-id-twice", .state, "sendPush", "delivery"),
    SystemFault("tickets-mixed-up", .state, "sendPush", "delivery", isConcurrent: true),
    SystemFault("dead-phone-accepted", .state, "sendPush", "delivery"),
    SystemFault("live-phone-refused", .state, "sendPush", "delivery"),
    SystemFault("tokens-mixed-up", .state, "getExpoPushToken", "sets", rate: 30, isConcurrent: true),
    SystemFault("token-changes", .state, "getExpoPushToken", "registers"),
    SystemFault("receipt-missing", .state, "getReceipts", "delivery"),
    SystemFault("receipts-swapped", .state, "getReceipts", "delivery"),
    SystemFault("receipt-flips", .state, "getReceipts", "delivery"),
    SystemFault("receipt-not-asked-for", .state, "getReceipts", "delivery"),
    SystemFault("receipts-mixed-up", .state, "getReceipts", "delivery", rate: 30, isConcurrent: true),
    SystemFault("gone-phone-receipt-ok", .state, "getReceipts", "delivery", only: ["old-phone"]),
    SystemFault("push-lost", .state, "sendPush", "delivery"),
    SystemFault("push-twice", .state, "sendPush", "delivery"),
    SystemFault("push-to-neighbour", .state, "sendPush", "delivery", rate: 30, isConcurrent: true),
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
