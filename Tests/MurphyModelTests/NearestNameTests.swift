import MurphyModel
import Testing

@Suite struct NearestNameTests {
  @Test func `a misspelt name finds its neighbour`() {
    #expect(nearestName(to: "listLaw", among: ["getLaw", "listLaws", "voteLaw"]) == "listLaws")
    #expect(nearestName(to: "quary", among: ["path", "query", "body"]) == "query")
  }

  @Test func `a name far from all finds nothing`() {
    #expect(nearestName(to: "zebra", among: ["listLaws", "voteLaw"]) == nil)
  }
}
