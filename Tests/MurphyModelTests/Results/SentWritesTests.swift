import MurphyModel
import Testing

@Suite struct SentWritesTests {
  private static func writes(_ list: [(method: String, path: String, status: Int, item: String?)]) -> SentWrites {
    var writes = SentWrites()
    for write in list {
      writes.recordWrite(
        .init(
          operation: write.method == "POST" ? "add" : "delete", method: write.method, path: write.path,
          status: write.status, item: write.item))
    }
    return writes
  }

  /// A creation that names the item of another one names an item that was there before.
  @Test func `an item that two creations name is repeated`() {
    #expect(Self.writes([("POST", "/items", 201, "1"), ("POST", "/items", 201, "1")]).repeating == ["add"])
    #expect(Self.writes([("POST", "/items", 201, "1"), ("POST", "/items", 201, "2")]).repeating.isEmpty)
    #expect(Self.writes([("POST", "/items", 200, "1"), ("POST", "/items", 201, "1")]).repeating.isEmpty)
  }

  /// SQLite gives the largest row number again when its row was deleted.
  @Test func `the name of a deleted item may come again`() {
    let again = ("POST", "/items/", 201, "x=" as String?)
    #expect(Self.writes([again, ("DELETE", "/items/x%3D", 204, nil), again]).repeating.isEmpty)
    #expect(Self.writes([again, ("DELETE", "/items/x%3D", 404, nil), again]).repeating == ["add"])
    #expect(Self.writes([again, ("DELETE", "/items/y", 204, nil), again]).repeating == ["add"])
  }
}
