import MurphySchema
import Testing

@Suite struct URIReferenceTests {
  // RFC 3986 §5.4.1 and §5.4.2, strict.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
  ])
  func `the examples of the RFC resolve`(_ reference: String, _ expected: String) {
    #expect(URIReference(reference).resolved(against: URIReference("http://a/b/c/d;p?q")).text == expected)
  }

  @Test(arguments: [
    "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed", "file:///a/b.yaml#/c", "murphy:schema", "a/b?c#d", "//x/y",
  ])
  func `a reference is written as it was read`(_ text: String) { #expect(URIReference(text).text == text) }

  @Test(arguments: [("%41b", "Ab"), ("%+5", "%+5"), ("%4", "%4"), ("%zz%41", "%zzA"), ("%ff", "%ff"), ("a", "a")])
  func `percent encoded bytes are two hexadecimal digits`(_ text: String, _ expected: String) {
    #expect(URIReference.percentDecoded(text) == expected)
  }
}
