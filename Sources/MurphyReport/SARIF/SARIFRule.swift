/// What a kind of finding means, for the list of rules.
enum SARIFRule {
  static func sentence(_ kind: String) -> String {
    sentences[kind] ?? families[String(kind.prefix { $0 != "." })] ?? "A promise of the API was broken."
  }

  private static let sentences = [
    "contract.status": "The contract does not document the status of an answer.",
    "contract.content-type": "The contract does not document the content type of an answer.",
    "contract.header": "A header of an answer does not match the contract, or is missing.",
    "contract.body": "The body of an answer does not match its schema in the contract.",
    "contract.undocumented-field": "An answer has a field that the contract does not document.",
    "contract.expectation": "An answer is not what the scenario expects of it.",
    "contract.undocumented-operation": "The scenario sends requests that no operation of the contract describes.",
    "contract.unchecked": "Answers could not be checked, and every answer was asked to be.",
    "contract.undeclared-header": "Answers have rate-limit headers that the contract does not declare.",
    "contract.absent-property": "Documented properties came in none of the answers that were looked into.",
    "contract.requires-nothing": "Objects in answers have documented properties, none of them required.",
    "contract.mixed-format": "One field holds moments in several formats.",
    "contract.extra-field": "Answers have fields that no schema documents.",
    "contract.not-tested": "The contract documents operations, statuses or parameters that this run did not touch.",
    "contract.error-shapes": "Error answers come in forms that have no member in common.",
    "contract.vacuous": "A schema of the contract accepts what it should reject.",
    "limit.over-admission": "A rate limit admitted more requests than it promises.",
    "limit.over-throttling": "A rate limit refused a request that it promises to admit.",
    "limit.contradictory": "No rate limit of the promised kind decides as this one did.",
    "limit.contradiction": "The contract, the headers and the scenario promise different rate limits.",
    "limit.retry-after": "A refusal says a wrong time at which to try again.",
    "transport.missing-allow": "Answers have status 405 and no Allow header.",
    "transport.missing-challenge": "Answers have status 401 and no WWW-Authenticate header.",
    "transport.missing-date": "Answers have no Date header.",
    "transport.length-of-nothing": "Answers have status 204 and a Content-Length header.",
    "transport.open-credentials": "Answers allow credentials from any origin, which browsers refuse.",
    "transport.unvaried-coding": "Compressed answers do not say that they vary by Accept-Encoding.",
    "transport.shared-etag": "One strong ETag stands for two contents of one URL.",
    "transport.restless-etag": "The ETag of a URL changes though its content does not.",
    "budget.latency": "An operation was slower than its budget.",
    "budget.errors": "An operation failed more often than its budget.",
  ]

  private static let families = [
    "contract": "An answer does not match the contract.",
    "limit": "A rate limit does not keep its promise.",
    "budget": "A budget was exceeded.",
    "state": "The state of the API contradicts what it had accepted.",
    "transport": "A request had no complete answer.",
    "coverage": "The run saw less of the contract than was required.",
    "generator": "Murphy itself could not keep up with the load.",
  ]
}
