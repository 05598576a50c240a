import MurphyModel
import MurphyScenario

/// Invariants over sessions are read and not judged: no data, never a silent pass.
package enum StateJudge: Judge {
  package static func rule(on run: JudgedRun) -> Ruling {
    var ruling = Ruling()
    ruling.state = run.scenario.expectations.state.map { expectation in
      StateRow(name: expectation.name, sentence: expectation.sentence, samples: 0, verdict: .noData)
    }
    return ruling
  }
}
