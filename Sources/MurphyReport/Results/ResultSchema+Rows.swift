import MurphyModel

extension ResultSchema {
  static let tags = """
        "tag": {
          "description": "The requests of the steps and sessions that name a tag, whatever their operation.",
          "type": "object",
          "required": ["tag", "outcomes", "latency"],
          "additionalProperties": false,
          "properties": {
            "tag": { "type": "string", "description": "As the scenario writes it." },
            "outcomes": { "$ref": "#/$defs/outcomes" },
            "latency": { "$ref": "#/$defs/latency" }
          }
        }
    """

  static let rows = """
        "budget": {
          "type": "object",
          "required": ["operation", "metric", "limit", "samples", "samples_needed", "verdict", "findings"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string", "description": "The operationId, or * for all together." },
            "metric": { "type": "string", "pattern": "^((service )?(p[0-9.]+|mean|max)|errors|throughput)$", "description": "`p95`, `mean` and `max` are latencies from the intended start, with `service` before them times from the send." },
            "limit": { "$ref": "#/$defs/measure" },
            "observed": {
              "description": "What was measured, in the limit's unit; absent without samples.",
              "type": "object",
              "required": ["low", "high", "unit"],
              "additionalProperties": false,
              "properties": {
                "low": { "type": "number" },
                "high": { "type": ["number", "null"], "description": "Null where answers are missing that could make it any higher." },
                "unit": { "$ref": "#/$defs/unit" }
              }
            },
            "samples": { "$ref": "#/$defs/count", "description": "Requests that came due, answered or not." },
            "samples_needed": { "$ref": "#/$defs/count", "description": "The fewest that can decide it." },
            "verdict": { "$ref": "#/$defs/row_verdict" },
            "trials": { "$ref": "#/$defs/count", "description": "Samples in which a violation would have been visible." },
            "unanswered": { "$ref": "#/$defs/count", "description": "Those of the samples that got no answer." },
            "over": { "$ref": "#/$defs/count", "description": "Surely over the limit, or surely errors." },
            "maybe": { "$ref": "#/$defs/count", "description": "Perhaps over the limit, or perhaps errors: no answer said." },
            "patient": { "$ref": "#/$defs/count", "description": "Decided over those alone that the person let wait for longer than the limit: how many." },
            "rejected": { "$ref": "#/$defs/count", "description": "Of the samples of a budget that only fails with them: responses that a rate limit rejected." },
            "share_at_most": { "type": "number", "minimum": 0, "maximum": 1, "description": "Of a kept error budget: a larger share of errors is excluded with 95 %, for the API as it was in this run." },
            "strength": {
              "description": "Of a kept percentile or maximum: which slowdown of the API would have broken it.",
              "type": "object",
              "required": ["seconds"],
              "additionalProperties": false,
              "properties": {
                "over_at_most": { "type": "number", "minimum": 0, "maximum": 1, "description": "A larger share of requests over the limit is excluded with 95 %, for the API as it was in this run." },
                "in_this_run": { "$ref": "#/$defs/slowdown", "description": "The smallest that would have broken it in this very run." },
                "likely": { "$ref": "#/$defs/slowdown", "description": "The smallest that would have broken it with 95 % in a run like this; absent when none can be promised." },
                "stall": { "type": "number", "minimum": 0, "description": "The shortest freeze, seconds, that would have broken it with 95 %; absent when none within the run would." },
                "seconds": { "$ref": "#/$defs/count", "description": "Of the run; below 120 the figures are rough." }
              }
            },
            "undecided": {
              "description": "Why there is no verdict.",
              "type": "object",
              "required": ["cause", "sentence"],
              "additionalProperties": false,
              "properties": {
                "cause": { "enum": ["nothing-measured", "nothing-succeeded", "too-few-samples", "unanswered", "generator", "too-weak"] },
                "sentence": { "type": "string" }
              }
            },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." }
          }
        },
        "slowdown": {
          "description": "A slowdown of every request, as a factor and as an added time.",
          "type": "object",
          "required": ["share", "added"],
          "additionalProperties": false,
          "properties": {
            "share": { "type": "number", "minimum": 0, "description": "0.74: 74 % slower." },
            "added": { "$ref": "#/$defs/microseconds" }
          }
        },
        "unit": { "enum": ["us", "share", "per_second"], "description": "Microseconds, parts of one, or a rate." },
        "measure": {
          "type": "object",
          "required": ["value", "unit"],
          "additionalProperties": false,
          "properties": { "value": { "type": "number" }, "unit": { "$ref": "#/$defs/unit" } }
        },
        "invariant": {
          "type": "object",
          "required": ["name", "sentence", "samples", "verdict", "findings"],
          "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "sentence": { "type": "string" },
            "samples": { "$ref": "#/$defs/count" },
            "verdict": { "$ref": "#/$defs/row_verdict" },
            "trials": { "$ref": "#/$defs/count", "description": "Responses that a wrong server could have failed." },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." },
            "kind": { "enum": ["ledger", "counter", "versions", "register", "set", "delivery", "session", "formula"] },
            "test": {
              "description": "What it was judged by.",
              "type": "object",
              "required": ["keys", "tested", "violated", "inconclusive", "writes", "reads", "sharp", "slack", "unread", "own_requests"],
              "additionalProperties": false,
              "properties": {
                "keys": { "$ref": "#/$defs/count", "description": "Things that the run wrote to or read." },
                "tested": { "$ref": "#/$defs/count", "description": "Those of which an answer could have shown a contradiction, and none did." },
                "violated": { "$ref": "#/$defs/count" },
                "inconclusive": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["reason", "count"],
                    "additionalProperties": false,
                    "properties": { "reason": { "type": "string" }, "count": { "$ref": "#/$defs/count" } }
                  }
                },
                "writes": { "$ref": "#/$defs/count" },
                "reads": { "$ref": "#/$defs/count" },
                "sharp": { "$ref": "#/$defs/count", "description": "Answers that a wrong server could have failed." },
                "slack": { "type": "number", "minimum": 0, "description": "How many other values each of those would have let pass, on average." },
                "unread": { "$ref": "#/$defs/count", "description": "Answers that do not hold what the invariant reads." },
                "own_requests": { "$ref": "#/$defs/count", "description": "Requests that murphy sent on its own behind the load." }
              }
            }
          }
        }
    """

  static let coverage = """
        "coverage": {
          "description": "What of the contract the run saw.",
          "type": "object",
          "required": ["items", "findings"],
          "additionalProperties": false,
          "properties": {
            "items": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["kind", "operation", "name", "count"],
                "additionalProperties": false,
                "properties": {
                  "kind": { "type": "string", "description": "`operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`." },
                  "operation": { "type": "string" },
                  "name": { "type": "string" },
                  "count": { "$ref": "#/$defs/count", "description": "How many answers showed it; of properties, enum values and branches, how many of the sampled answers." }
                }
              }
            },
            "required": { "type": "number", "description": "The scenario's gate, per cent." },
            "verdict": { "$ref": "#/$defs/row_verdict" },
            "trials": { "$ref": "#/$defs/count", "description": "Elements of the contract that could be covered." },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." }
          }
        }
    """

  static let generator = """
        "generator": {
          "description": "Whether murphy itself kept up.",
          "type": "object",
          "required": ["loops", "lateness", "loop_stalls", "longest_stall", "cpu_percent", "offered", "achieved", "peak_users", "peak_memory", "doubts"],
          "additionalProperties": false,
          "properties": {
            "loops": { "$ref": "#/$defs/count" },
            "lateness": { "$ref": "#/$defs/latency", "description": "How late sends were, from their intended start." },
            "loop_stalls": { "$ref": "#/$defs/count", "description": "Times that a loop was away for longer than 50 ms." },
            "longest_stall": { "$ref": "#/$defs/microseconds" },
            "cpu_percent": { "type": "number", "minimum": 0, "description": "CPU time over elapsed time, the busiest loop." },
            "offered": { "type": "number", "minimum": 0, "description": "Planned requests per second." },
            "achieved": { "type": "number", "minimum": 0, "description": "Sent requests per second." },
            "peak_users": { "$ref": "#/$defs/count" },
            "peak_memory": { "$ref": "#/$defs/count", "description": "Resident memory at its highest, bytes." },
            "per_loop": {
              "description": "Each loop by itself.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["loop", "cpu_percent", "stalls", "longest_stall", "stalled_percent"],
                "additionalProperties": false,
                "properties": {
                  "shard": { "type": "integer", "minimum": 1, "description": "Of a merged run, the shard that it belongs to; absent in a run of one process." },
                  "loop": { "$ref": "#/$defs/count" },
                  "cpu_percent": { "type": "number", "minimum": 0 },
                  "waiting_percent": { "type": "number", "minimum": 0, "description": "Of the time, ready to run while another program had its core; absent where the system does not tell." },
                  "stalls": { "$ref": "#/$defs/count", "description": "Times that it was away for longer than 50 ms." },
                  "longest_stall": { "$ref": "#/$defs/microseconds" },
                  "stalled_percent": { "type": "number", "minimum": 0, "description": "Of the time, taken by its stalls." }
                }
              }
            },
            "achieved_percent": { "type": "number", "minimum": 0, "maximum": 100, "description": "Of the planned requests, those that murphy and its machine did not keep from being sent." },
            "resources": {
              "description": "What murphy used of its machine, and what the machine had left.",
              "type": "object",
              "required": ["peak_descriptors", "descriptor_limit", "peak_time_wait", "ports"],
              "additionalProperties": false,
              "properties": {
                "steal_percent": { "type": "number", "minimum": 0, "description": "Of the machine's CPU time, what the hypervisor gave to others; absent where the system does not tell." },
                "peak_descriptors": { "$ref": "#/$defs/count", "description": "Open files and connections at their most." },
                "descriptor_limit": { "$ref": "#/$defs/count" },
                "peak_time_wait": { "$ref": "#/$defs/count", "description": "Ports of the machine in TIME_WAIT at their most." },
                "ports": { "$ref": "#/$defs/count", "description": "Ports that the system gives to connections, for each pair of addresses; 0 where it does not tell." }
              }
            },
            "doubts": { "type": "array", "items": { "type": "string" }, "description": "Why these numbers cannot carry a verdict; empty when they can." },
            "reservations": {
              "description": "What murphy itself did to the run; `doubts` are the sentences of those that leave no verdict.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["kind", "sentence"],
                "additionalProperties": false,
                "properties": {
                  "kind": { "enum": ["late-load", "late-figures", "core", "starved", "stall", "short-stalls", "shortfall", "ports", "dropped", "exhausted", "stuck-loop"] },
                  "sentence": { "type": "string" }
                }
              }
            }
          }
        }
    """

  static let timeline = """
        "second": {
          "type": "object",
          "required": ["second", "planned", "sent", "outcomes", "users", "findings", "buckets"],
          "additionalProperties": false,
          "properties": {
            "second": { "$ref": "#/$defs/count", "description": "Seconds since the start." },
            "planned": { "$ref": "#/$defs/count" },
            "sent": { "$ref": "#/$defs/count" },
            "outcomes": { "$ref": "#/$defs/outcomes" },
            "users": { "$ref": "#/$defs/count", "description": "Users with a session running, at the end of the second." },
            "findings": { "$ref": "#/$defs/count" },
            "p50": { "$ref": "#/$defs/microseconds", "description": "Of the answers of this second; absent without any." },
            "p95": { "$ref": "#/$defs/microseconds" },
            "p99": { "$ref": "#/$defs/microseconds" },
            "max": { "$ref": "#/$defs/microseconds" },
            "buckets": { "type": "array", "items": { "type": "number", "minimum": 0 }, "description": "Upper bound in microseconds and count, in turn." }
          }
        }
    """
}

extension ResultSchema {
  static let relations = """
        "relation": {
          "description": "What holds between the requests and answers of an operation; docs/relations.md names all.",
          "type": "object",
          "required": ["operation", "relation", "promise", "outcome", "reason", "samples", "findings"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string", "description": "The operationId." },
            "relation": { "enum": [\(RelationRule.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))] },
            "promise": { "type": "string", "description": "What it promises, for people." },
            "outcome": { "enum": ["kept", "broken", "untested", "off"], "description": "untested: the contract shows it, and nothing of the run could have broken it. off: the contract does not show it, or the scenario switches it off." },
            "reason": { "type": "string", "description": "What in the contract or the scenario says so." },
            "samples": { "$ref": "#/$defs/count", "description": "Answers that could have broken it." },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." }
          }
        }
    """
}
