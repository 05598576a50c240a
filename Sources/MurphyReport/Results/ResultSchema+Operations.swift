extension ResultSchema {
  static let operations = """
        "operation": {
          "description": "What one operation of the contract did under load.",
          "type": "object",
          "required": ["operation", "method", "path", "requests", "throughput", "outcomes", "statuses", "latency", "service", "bytes_received"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string", "description": "The operationId." },
            "method": { "type": "string" },
            "path": { "type": "string" },
            "requests": { "$ref": "#/$defs/count", "description": "Requests sent." },
            "throughput": { "type": "number", "minimum": 0, "description": "Responses per second over the run that no rate limit rejected." },
            "outcomes": { "$ref": "#/$defs/outcomes" },
            "statuses": { "type": "array", "items": { "$ref": "#/$defs/status_count" }, "description": "Ascending by status." },
            "latency": { "$ref": "#/$defs/latency", "description": "From the intended start to the last byte." },
            "service": { "$ref": "#/$defs/latency", "description": "From the actual send to the last byte." },
            "phases": { "$ref": "#/$defs/phases" },
            "bytes_received": { "$ref": "#/$defs/count" },
            "streams": { "$ref": "#/$defs/stream_figures" },
            "conformance": { "$ref": "#/$defs/conformance" },
            "spared": { "$ref": "#/$defs/count", "description": "Requests that clients did not send, for they had the answer, as `cache:` and `dedupe:` say; in no other count; absent without any." },
            "retries": { "$ref": "#/$defs/count", "description": "Of the requests: those that their clients sent again by themselves, as `retry:` says; absent without any." },
            "succeeded": { "$ref": "#/$defs/count", "description": "Responses with a status of 2xx, or one that their step expects in place of 2xx." },
            "samples": { "$ref": "#/$defs/count", "description": "Requests that came due, answered or not, except those that a rate limit rejected." },
            "answered": { "$ref": "#/$defs/count", "description": "Those of the samples of which the last byte came: what `latency` and `service` hold." },
            "censored": { "$ref": "#/$defs/censored_counts" },
            "latency_bounds": { "$ref": "#/$defs/intervals", "description": "Latency over all samples, those without an answer included." },
            "service_bounds": { "$ref": "#/$defs/intervals", "description": "Service time over all samples." },
            "waited": { "$ref": "#/$defs/waited" },
            "undocumented": { "const": true, "description": "Requests that the scenario makes outside of the contract; absent for operations of it." },
            "ends": { "$ref": "#/$defs/request_ends" },
            "strength": { "$ref": "#/$defs/contract_strength" },
            "timeline": { "$ref": "#/$defs/operation_timeline", "description": "Of the 24 operations with the most requests." }
          }
        },
        "operation_timeline": {
          "description": "What an operation did over the run, in at most 120 steps of equal length.",
          "type": "object",
          "required": ["step", "requests", "errors", "latency"],
          "additionalProperties": false,
          "properties": {
            "step": { "type": "integer", "minimum": 1, "description": "Seconds of a step." },
            "requests": { "type": "array", "items": { "$ref": "#/$defs/count" }, "description": "Requests that ended, by step." },
            "errors": { "type": "array", "items": { "$ref": "#/$defs/count" }, "description": "Those of them without a response, or with an error status." },
            "latency": { "type": "array", "items": { "type": "number", "minimum": 0 }, "description": "The geometric mean of the latencies, microseconds; 0 for a step without any." }
          }
        },
        "phases": {
          "description": "Where the service time of the answers went; absent without answers.",
          "type": "object",
          "required": ["first_byte", "body"],
          "additionalProperties": false,
          "properties": {
            "held": { "$ref": "#/$defs/latency", "description": "Until the connection was opened or free: sendings that were lost and repeated, and the queue for a stream of HTTP/2; absent where there were none. libcurl, which carries HTTP/2 and proxies, adds microseconds." },
            "connect": { "$ref": "#/$defs/latency", "description": "The TCP handshake, of the answers that opened a connection." },
            "tls": { "$ref": "#/$defs/latency", "description": "The TLS handshake behind it." },
            "first_byte": { "$ref": "#/$defs/latency", "description": "From the moment when the connection could take the request to the first byte of the answer." },
            "body": { "$ref": "#/$defs/latency", "description": "From the first byte to the last; 0 for answers that came in one piece." }
          }
        },
        "stream_figures": {
          "description": "The answers that were streams of events (`text/event-stream`): each is answered with its header section, and its events are counted and not checked; absent without any.",
          "type": "object",
          "required": ["streams", "events", "broken"],
          "additionalProperties": false,
          "properties": {
            "streams": { "$ref": "#/$defs/count", "description": "Streams that began." },
            "events": { "$ref": "#/$defs/count", "description": "Events that they brought before the client closed them; those of streams in a content coding are not known." },
            "broken": { "$ref": "#/$defs/count", "description": "Of the streams: those whose connection broke before the server or the client ended them." }
          }
        },
        "contract_strength": {
          "description": "What it is worth that every answer kept the contract: which faults would have been seen.",
          "type": "object",
          "required": ["answers", "seconds", "untested_statuses", "unseen", "unseen_count"],
          "additionalProperties": false,
          "properties": {
            "answers": { "$ref": "#/$defs/units_seen", "description": "Answers that were checked in full." },
            "entities": { "$ref": "#/$defs/units_seen", "description": "Different paths, of an operation whose path has parameters." },
            "pages": { "$ref": "#/$defs/units_seen", "description": "Different queries, of an operation that was asked with several." },
            "seconds": { "$ref": "#/$defs/units_seen", "description": "Different seconds with an answer." },
            "untested_statuses": { "type": "array", "items": { "type": "string" }, "description": "Documented statuses that never came." },
            "unseen": { "type": "array", "items": { "type": "string" }, "description": "Documented properties, enum values and alternatives of bodies that never came, at most 20." },
            "unseen_count": { "$ref": "#/$defs/count", "description": "How many of them there are." },
            "shortfall": { "type": "string", "description": "What `expect: strength:` asks for beyond this." }
          }
        },
        "units_seen": {
          "type": "object",
          "required": ["seen", "missed"],
          "additionalProperties": false,
          "properties": {
            "seen": { "$ref": "#/$defs/count", "description": "Different ones." },
            "missed": { "type": "number", "minimum": 0, "maximum": 1, "description": "A fault in a larger share of them would have been seen with 95 %." }
          }
        },
        "request_ends": {
          "description": "Each request that was sent, under the first of these that fits; together they are `requests`.",
          "type": "object",
          "required": ["violating", "unchecked", "refused", "errors", "ok", "unanswered", "cancelled"],
          "additionalProperties": false,
          "properties": {
            "violating": { "$ref": "#/$defs/count", "description": "Answers that break the contract, a rule of HTTP or what their step expects, whatever their status." },
            "unchecked": { "$ref": "#/$defs/count", "description": "Answers of which something could not be checked, and nothing is known to be wrong." },
            "refused": { "$ref": "#/$defs/count", "description": "Rejections by a rate limit that keep the contract." },
            "errors": { "$ref": "#/$defs/count", "description": "Answers with another status of 4xx or 5xx that keep the contract, and that no step expects." },
            "ok": { "$ref": "#/$defs/count", "description": "The other answers: they keep the contract." },
            "unanswered": { "$ref": "#/$defs/count", "description": "Lost, timed out, or without an answer when the run ended." },
            "cancelled": { "$ref": "#/$defs/count", "description": "Given up by the client on purpose." }
          }
        },
        "conformance": {
          "description": "How the answers came out against the contract; together they are all of the operation's answers.",
          "type": "object",
          "required": ["conformant", "violating", "unchecked"],
          "additionalProperties": false,
          "properties": {
            "conformant": { "$ref": "#/$defs/count", "description": "Everything that the contract says was checked and holds." },
            "violating": { "$ref": "#/$defs/count", "description": "At least one violation." },
            "unchecked": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "No violation, and something could not be checked, by reason." },
            "opaque": { "$ref": "#/$defs/count", "description": "Of the unchecked: a part was checked, and the rest is of a kind that nothing checks; absent without any." },
            "rejected": { "$ref": "#/$defs/count", "description": "Of the conformant: rejected by a rate limit; absent without any." }
          }
        },
        "outcomes": {
          "description": "How requests ended.",
          "type": "object",
          "required": ["ok", "limited", "client_error", "server_error", "transport", "cancelled"],
          "additionalProperties": false,
          "properties": {
            "ok": { "$ref": "#/$defs/count" },
            "limited": { "$ref": "#/$defs/count", "description": "Rejected by a rate limit: status 429, or as a limit of the scenario says under `refusals`." },
            "client_error": { "$ref": "#/$defs/count" },
            "server_error": { "$ref": "#/$defs/count" },
            "transport": { "$ref": "#/$defs/count", "description": "No complete answer." },
            "cancelled": { "$ref": "#/$defs/count" }
          }
        },
        "status_count": {
          "type": "object",
          "required": ["status", "count"],
          "additionalProperties": false,
          "properties": { "status": { "type": "integer", "minimum": 0, "maximum": 999 }, "count": { "$ref": "#/$defs/count" } }
        }
    """

  static let latency = """
        "latency": {
          "description": "A histogram with its usual percentiles, microseconds.",
          "type": "object",
          "required": ["count", "min", "mean", "p50", "p75", "p90", "p95", "p99", "p999", "max", "histogram"],
          "additionalProperties": false,
          "properties": {
            "count": { "$ref": "#/$defs/count" },
            "min": { "$ref": "#/$defs/microseconds" },
            "mean": { "$ref": "#/$defs/microseconds" },
            "p50": { "$ref": "#/$defs/microseconds" },
            "p75": { "$ref": "#/$defs/microseconds" },
            "p90": { "$ref": "#/$defs/microseconds" },
            "p95": { "$ref": "#/$defs/microseconds" },
            "p99": { "$ref": "#/$defs/microseconds" },
            "p999": { "$ref": "#/$defs/microseconds", "description": "The 99.9th percentile." },
            "max": { "$ref": "#/$defs/microseconds" },
            "histogram": { "$ref": "#/$defs/histogram" }
          }
        },
        "histogram": {
          "description": "Mergeable without loss: add the counts of equal values.",
          "type": "object",
          "required": ["unit", "digits", "buckets"],
          "additionalProperties": false,
          "properties": {
            "unit": { "const": "ns" },
            "digits": { "const": 3, "description": "Significant decimal digits." },
            "buckets": { "type": "array", "items": { "$ref": "#/$defs/count" }, "description": "Value and count in turn, values ascending." }
          }
        }
    """
}
