import MurphyContract
import MurphySchema
import Testing

@Suite struct ParameterEncoderTests {
  private static let empty: JSONValue = ""
  private static let one: JSONValue = "blue"
  private static let list: JSONValue = ["blue", "black", "brown"]
  private static let object: JSONValue = ["R": 100, "G": 200, "B": 150]

  /// The table of OpenAPI 3.1.1 §4.8.12.6, with `color` as the name.
  @Test(
    arguments: [
      (ParameterStyle.matrix, false, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
      (.matrix, true, ";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
      (.label, false, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
      (.label, true, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
      (.simple, false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"),
      (.simple, true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"),
      (.form, false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
      (.form, true, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
      (.spaceDelimited, false, nil, nil, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
      (.pipeDelimited, false, nil, nil, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
      (.deepObject, true, nil, nil, nil, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ] as [(ParameterStyle, Bool, String?, String?, String?, String?)]) func `the specification's table of styles`(
      _ style: ParameterStyle, _ explode: Bool, _ none: String?, _ one: String?, _ list: String?, _ object: String?
    )
  {
    let encoder = ParameterEncoder(name: "color", style: style, explode: explode)
    if let none { #expect(encoder.encode(Self.empty) == none) }
    if let one { #expect(encoder.encode(Self.one) == one) }
    if let list { #expect(encoder.encode(Self.list) == list) }
    if let object { #expect(encoder.encode(Self.object) == object) }
  }

  @Test func `undefined values are not written`() {
    for style in ParameterStyle.allCases {
      let encoder = ParameterEncoder(name: "x", style: style, explode: true)
      for value: JSONValue in [.null, [], [:], [.null]] { #expect(encoder.encode(value) == nil) }
    }
  }

  @Test func `reserved characters are escaped unless allowed`() {
    let plain = ParameterEncoder(name: "q", style: .form, explode: true)
    #expect(plain.encode("a/b?c=ü 100%") == "q=a%2Fb%3Fc%3D%C3%BC%20100%25")
    let reserved = ParameterEncoder(name: "q", style: .form, explode: true, allowReserved: true)
    #expect(reserved.encode("a/b?c=%20 x") == "q=a/b?c=%20%20x")
  }
}
