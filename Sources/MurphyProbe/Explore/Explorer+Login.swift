import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema
import MurphyServer

/// Gets credentials from the API itself, and renews them.
extension Explorer {
  /// Requests missing credentials from the API itself, if a public operation provides some. It requests those of a
  /// second user too, if the operation creates users.
  func logIn() async throws(CaseRunner.Stop) {
    let lacks = !setting.missingCredentials.isEmpty
    guard lacks || !board.hasOtherUser && !setting.credentialVariables.isEmpty else { return }
    for login in setting.contract.logins where plan.planner.mayCall(login.operation) {
      for recipe in CallSample.Recipe.allCases {
        guard let steps = plan.planner.chain(login.operation, .made, recipe),
          let (token, performed) = try await token(steps, login.token)
        else { continue }
        // Only a new registration creates another user.
        let other = steps.count > 1 ? try await self.token(steps, login.token)?.text : nil
        guard lacks || other != nil else { return }
        board.addToken(
          token, other: other == token ? nil : other, from: setting.contract.operations[login.operation].id)
        renew(token, by: performed.request, at: login.token, performed.json)
        return
      }
    }
  }

  /// Sends the login again when the API rejects its token.
  private func renew(_ token: String, by login: HTTPRequest, at place: [String], _ response: JSONValue?) {
    let callers = board.callers
    let fields = setting.operations.lazy.flatMap { callers.ownHeaders(of: $0) }
    guard let field = fields.first(where: { $0.value.hasSuffix(token) }) else { return }
    let lead = String(field.value.dropLast(token.count))
    let issue = { @Sendable (response: JSONValue) -> SharedCredential.Issue? in
      guard let token = JSONPointer(tokens: place).resolve(in: response)?.string, !token.isEmpty else { return nil }
      return SharedCredential.Issue(
        HeaderField(field.name, lead + token), life: TokenLife.stated(in: response) ?? TokenLife.claimed(by: token))
    }
    guard let first = response.flatMap(issue) else { return }
    var again = TargetRequest(base: runner.client.origin.text, path: login.target, failure: "the login failed")
    (again.method, again.headers, again.body) = (login.method, login.headers, login.body)
    (again.authorities, again.certificate) = (setting.transport.authorities, setting.transport.certificate)
    setting.credential.begin(first) { [again] in
      guard let response = try? await again.response(), (200..<300).contains(response.status) else { return nil }
      return (try? JSONValue.parse(response.bytes)).flatMap(issue)
    }
  }

  private func token(
    _ steps: [ExploreCall], _ place: [String]
  ) async throws(CaseRunner.Stop) -> (text: String, performed: CaseRunner.Performed)? {
    do throws(CaseRunner.Stop) {
      let last = try await runner.run(steps, isFresh: true).last
      guard let last, last.isSuccess else { return nil }
      return last.json.flatMap { JSONPointer(tokens: place).resolve(in: $0)?.string }.map { ($0, last) }
    } catch {
      if case .over = error { throw error }
      return nil
    }
  }
}
