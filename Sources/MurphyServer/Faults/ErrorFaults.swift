/// The faults of every system that spoil the answers to mistakes.
extension Fault {
  static let errorFaults = [
    Fault(
      "bare-error", .contract, "errors (400, 404, 413, 415, 429) leave out message",
      .after(\.error) { _, answer in
        answer.change { $0.remove("message") }
      })
  ]
}
