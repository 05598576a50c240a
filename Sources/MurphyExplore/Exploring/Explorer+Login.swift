import MurphyContract
import MurphyEngine
import MurphyJSON
import MurphyModel

extension Explorer {
  /// Asks the API itself for credentials that the environment lacks, where an operation that anybody may call gives some;
  /// and for those of a second user, where it makes users.
  func logIn(_ planner: inout ChainPlanner) async throws(CaseRunner.Stop) {
    let lacks = !setting.missingCredentials.isEmpty
    guard lacks || !board.hasOtherUser && !setting.credentialVariables.isEmpty else { return }
    for login in setting.contract.logins where planner.mayCall(login.operation) {
      for recipe in CallSample.Recipe.allCases {
        guard let steps = planner.chain(login.operation, .made, recipe),
          let token = try await token(steps, login.token)
        else { continue }
        // Only who registers anew is another user.
        let other = steps.count > 1 ? try await self.token(steps, login.token) : nil
        guard lacks || other != nil else { return }
        board.take(token, other: other == token ? nil : other, from: setting.contract.operations[login.operation].id)
        return
      }
    }
  }

  private func token(_ steps: [ExploreCall], _ place: [String]) async throws(CaseRunner.Stop) -> String? {
    do throws(CaseRunner.Stop) {
      let last = try await runner.run(steps, isFresh: true).last
      guard let last, last.isSuccess else { return nil }
      return last.json.flatMap { JSONPointer(tokens: place).resolve(in: $0)?.string }
    } catch {
      if case .over = error { throw error }
      return nil
    }
  }
}
