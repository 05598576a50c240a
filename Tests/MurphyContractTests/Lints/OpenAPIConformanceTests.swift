import Foundation
import MurphyContract
import TestSupport
import Testing

/// The specification's own documents: those that its schema accepts raise no error here, those that it refuses do.
@Suite struct OpenAPIConformanceTests {
  @Test func `the documents are there`() {
    #expect(SpecificationDocuments.files("pass").count >= 35)
    #expect(SpecificationDocuments.files("fail").count >= 11)
  }

  @Test(arguments: SpecificationDocuments.files("pass")) func `is accepted`(_ file: String) {
    let errors = Contract.check(file).filter { $0.severity == .error }.map(\.message)
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    #expect(errors == Self.disagreements[name] ?? [])
  }

  /// What the schema of the specification lets pass and its text forbids.
  private static let disagreements = [
    // "Each template expression in the path MUST correspond to a path parameter" (3.1.1, 4.8.8.2)
    "operation-object-example.yaml": [
      "\"{id}\" of \"/pets/{id}\" needs a path parameter",
      "the path parameter \"petId\" is not in \"/pets/{id}\"",
      // "The name used for each property MUST correspond to a security scheme declared in the Security Schemes"
      "there is no security scheme \"petstore_auth\"",
    ],
    // "If the parameter location is path, this field is REQUIRED and its value MUST be true" (4.8.12.2.1); the key of
    // a content map is a media type or media type range (4.8.12.2.3).
    "style-defaults.yaml": [
      "a path parameter needs \"required: true\"",
      "\"encoding_object_defaults\" is not a media type; application/json is an example of one",
    ],
  ]

  @Test(arguments: SpecificationDocuments.files("fail")) func `is rejected`(_ file: String) {
    #expect(Contract.check(file).contains { $0.severity == .error })
  }
}

/// The public test documents of the OpenAPI Specification.
enum SpecificationDocuments {
  static func files(_ kind: String) -> [String] {
    let folder = PublicData.openAPI.appending(path: kind)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0).path }
  }
}
