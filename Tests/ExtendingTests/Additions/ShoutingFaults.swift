import MurphyServer

extension Fault {
  static let shoutingFaults = [
    Fault(
      "shouting-titles", .contract, on: .getLaw, frequency: .oneIn(2), "getLaw sends one title in 2 in capital letters",
      .body { $0.change("title") { $0.uppercased() } })
  ]
}
