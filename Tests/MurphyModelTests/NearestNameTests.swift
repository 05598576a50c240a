import MurphyModel
import Testing

@Suite struct NearestNameTests {
  @Test func aMisspeltNameFindsItsNeighbour() {
    #expect(nearestName(to: "listLaw", among: ["getLaw", "listLaws", "voteLaw"]) == "listLaws")
    #expect(nearestName(to: "quary", among: ["path", "query", "body"]) == "query")
  }

  @Test func aNameFarFromAllFindsNothing() {
    #expect(nearestName(to: "zebra", among: ["listLaws", "voteLaw"]) == nil)
  }
}
