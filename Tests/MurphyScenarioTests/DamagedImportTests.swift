import MurphyContract
import MurphyScenario
import Testing

/// Files of other tools that are cut off or changed at any place are read, or rejected with a sentence.
@Suite struct DamagedImportTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Laws, version: "1" }
    paths:
      /laws: { get: { operationId: listLaws, responses: { "200": { description: All } } } }
      /laws/{id}:
        get:
          operationId: getLaw
          parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
          responses: { "200": { description: One } }
    """

  private static let samples = [
    "a.sh": #"""
    # a comment
    API=https://laws.test; TOKEN=$(curl -s $API/login -d '{"password":"x"}' | jq -r '.token')
    curl "$API/laws?limit=5" -H $'x-a: it\'s \u0041' -H "Authorization: Bearer ${TOKEN}" \
      --data-urlencode "q=a b" -G > /dev/null 2>&1 && sleep 2
    curl -u a:b -F f=@p.png -F 't=x;type=text/plain' "$API/laws/`id`" <<END
    {"text": 1}
    END
    """#,
    "a.hurl": #"""
    GET https://laws.test/laws # all
    X-A: a\#\u{41}
    [Query]
    limit: 5
    [Options]
    delay: 2s
    HTTP 200
    [Captures]
    id: jsonpath "$.data[0].id"
    [Asserts]
    jsonpath "$.total" == 2
    POST https://laws.test/laws/{{id}}
    ```graphql
    { laws }
    variables { "a": 1 }
    ```
    POST https://laws.test/laws
    {
      "a": [1, "x"]
    }
    """#,
    "a.bru": #"""
    meta {
      name: list
      tags: [
        a
      ]
    }
    get {
      url: https://laws.test/laws/:id?a=1
      body: multipartForm
      auth: basic
    }
    params:path {
      "i d": '''
        two
        lines
      '''
    }
    auth:basic {
      username: a
    }
    body:multipart-form {
      @description('x')
      f: @file(a/p.png) @contentType(image/png)
    }
    vars:post-response {
      id: res('data[0].id')
    }
    assert {
      res.status: eq 404
    }
    """#,
    "v4.json": #"""
    {"_type": "export", "__export_format": 4, "resources": [
      {"_id": "w", "_type": "workspace", "parentId": null, "name": "Laws"},
      {"_id": "e", "_type": "environment", "parentId": "w", "data": {"host": "https://laws.test", "a": {"b": 1}}},
      {"_id": "g", "_type": "request_group", "parentId": "w", "name": "g"},
      {"_id": "r", "_type": "request", "parentId": "g", "method": "GET", "url": "{{ _.host }}/laws",
       "authentication": {"type": "bearer", "token": "{% response 'body', 'r', 'b64::JC5h::46b' %}"},
       "body": {"mimeType": "multipart/form-data", "params": [{"name": "f", "type": "file", "fileName": "a/b"}]}}]}
    """#,
    "v5.yaml": #"""
    type: collection.insomnia.rest/5.0
    name: Laws
    collection:
      - name: g
        children:
          - { name: r, method: GET, url: "https://laws.test/laws/:id", pathParameters: [{ name: id, value: "{% now %}" }] }
    environments: { data: { a: 1 }, subEnvironments: [{ name: x, data: { a: 2 } }] }
    """#,
    "open.yaml": #"""
    opencollection: 1.0.0
    info: { name: Laws }
    items:
      - info: { name: g }
        items:
          - http: { method: GET, url: "https://laws.test/laws", body: { type: json, data: '{"a": 1}' }, auth: inherit }
            runtime: { assertions: [{ expression: res.status, operator: eq, value: "404" }] }
    request: { auth: { type: apikey, key: k, value: v }, headers: [{ name: A, value: b }] }
    """#,
    "flow.yaml": #"""
    arazzo: 1.1.0
    workflows:
      - workflowId: w
        steps:
          - stepId: a
            operationId: listLaws
            outputs: { id: { context: $response.body, selector: "$.data[0].id", type: jsonpath } }
          - { stepId: b, operationId: getLaw, parameters: [{ name: id, in: path, value: $steps.a.outputs.id }] }
    """#,
  ]

  @Test(arguments: samples.keys.sorted()) func `a damaged file is read or rejected`(file: String) throws {
    let contract = try Contract.parse(Self.contract, file: "laws.yaml")
    let text = Array(try #require(Self.samples[file]))
    #expect(try Self.calls(String(text), file, contract) > 0)
    var damaged = (1..<text.count).map { String(text[..<$0]) }
    for (index, character) in zip(
      stride(from: 0, to: text.count, by: 3), Array(repeating: Self.signs, count: 99).joined())
    {
      damaged.append(String(text[..<index]) + String(character) + String(text[(index + 1)...]))
    }
    for text in damaged {
      do {
        _ = try Self.calls(text, file, contract)
      } catch let mistake as ImportedScenario.Mistake {
        #expect(mistake.description.contains(file), "\(mistake)\n\(text)")
      }
    }
  }

  private static let signs = Array("{}[]()\"'`\\:$#|<>%@~-\n\t\u{0}é")

  /// The number of calls in the scenario. It has no mistake of its notation.
  private static func calls(_ text: String, _ file: String, _ contract: Contract) throws -> Int {
    let imported = try ImportedScenario(
      .text(text), file: file, contract, at: "laws.yaml", target: "http://127.0.0.1:9", origin: nil,
      WriteRule(contract))
    let mistakes = LawsAPI.mistakes(imported.text).filter { $0.contains("not YAML") }
    #expect(mistakes.isEmpty, "\(mistakes)\n\(imported.text)\n\(text)")
    return imported.calls
  }
}
