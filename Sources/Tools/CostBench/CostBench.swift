import Dispatch
import Foundation
import Murphy

/// Runs a scenario as `murphy run` does and prints its request accounting as one line, for `Tests/Benchmarks/Costs`.
///
///     CostBench SCENARIO
///
/// The main thread waits instead of leaving its stack to libdispatch, as an asynchronous `main` does. Valgrind 3.19
/// does not support that.
@main struct CostBench {
  static func main() {
    guard let scenario = CommandLine.arguments.dropFirst().first else {
      print("usage: CostBench SCENARIO")
      exit(2)
    }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        var options = RunOptions()
        options.loops = 1
        let record = try await Gate.load(scenario, options: options).run()
        print("answered \(record.ledger.answered) conformant \(record.ledger.conformant)")
      } catch {
        print("CostBench: \(error)")
        exit(1)
      }
      done.signal()
    }
    done.wait()
  }
}
