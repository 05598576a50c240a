extension SessionRun {
  /// Runs a session written in Swift to its end.
  func execute(_ session: SwiftSession) async throws(SessionEnd) {
    do {
      try await session.body(Client(self))
    } catch let error as ClientError {
      throw .failed(error.description)
    } catch is CancellationError {
      throw .cut
    } catch {
      throw .failed("\(type(of: error))")
    }
  }
}
