import MurphyModel

/// One step of a session. Steps are values; the engine executes them.
package indirect enum Step: Sendable {
  case call(Call)
  case think(ThinkStep)
  case loop(LoopStep)
  case type(TypeStep)
  case burst(BurstStep)
  case branch(BranchStep)
  case choice(ChoiceStep)
  case group(GroupStep)
  case set(SetStep)
  /// The session is over; it counts as completed.
  case end
}
