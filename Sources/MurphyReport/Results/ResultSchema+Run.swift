extension ResultSchema {
  static let run = """
        "run": {
          "description": "What was run, against what, when, with which versions.",
          "type": "object",
          "required": ["scenario", "scenario_file", "contract_file", "seed", "target", "started", "duration", "cut_short", "murphy", "libcurl", "machine", "load"],
          "additionalProperties": false,
          "properties": {
            "scenario": { "type": "string", "description": "The scenario's name." },
            "scenario_file": { "type": "string" },
            "contract_file": { "type": "string", "description": "The first of the contract's files." },
            "contract_files": { "type": "array", "items": { "type": "string" }, "description": "All of the contract's files, documents and overlays, in the scenario's order; absent in results of versions before it." },
            "seed": { "type": "integer", "minimum": 0, "maximum": 18446744073709551615 },
            "salt": { "type": "integer", "minimum": 0, "maximum": 18446744073709551615, "description": "What uuid() and long string() were salted with; --salt with it repeats their very values." },
            "target": { "type": "string", "description": "The target's URL, credentials masked." },
            "started": { "type": "string", "description": "RFC 3339, UTC." },
            "duration": { "type": "number", "minimum": 0, "description": "Seconds from the first planned arrival to the last answer." },
            "lookup": { "type": "number", "minimum": 0, "description": "Microseconds that the resolver took for the target's name, once before the load; absent for an address." },
            "cut_short": { "type": "boolean", "description": "Ctrl-C ended the load early." },
            "aborted": { "type": "number", "minimum": 0, "description": "Seconds after which the target's silence ended the load; absent when it did not." },
            "lost": { "$ref": "#/$defs/lost_budget", "description": "The budget that was lost before the load's end and ended it (`abort-after: lost`); absent when none did." },
            "lost_credentials": { "$ref": "#/$defs/lost_credentials", "description": "The credentials that stopped working while the load ran; absent when they did not." },
            "unreached": { "type": "string", "description": "Why the preflight check failed, so that no load was sent, or only its first responses (exit status 3); absent when it passed." },
            "crashed": { "type": "string", "description": "How murphy crashed, so that nothing which it measured is known; absent when it did not." },
            "setup": { "$ref": "#/$defs/fixture", "description": "What became of `setup:`; absent without one. When it failed, no load was sent." },
            "teardown": { "$ref": "#/$defs/fixture", "description": "What became of `teardown:`; absent without one." },
            "shard": { "$ref": "#/$defs/run_shard", "description": "Which shard of a run this is (`--shard`); absent in a run of one process." },
            "shards": { "$ref": "#/$defs/merged_shards", "description": "Of a run that `murphy merge` put together: its shards, and what is missing." },
            "tokens": { "$ref": "#/$defs/tokens", "description": "What was asked for access tokens (`auth: oauth2`); absent where no user needs one." },
            "murphy": { "type": "string", "description": "Version." },
            "libcurl": { "type": "string", "description": "Version." },
            "machine": { "type": "string" },
            "load": { "type": "array", "items": { "$ref": "#/$defs/load_stage" } }
          }
        },
        "fixture": {
          "description": "Steps that ran once, before or after the load; their requests stand in no other count.",
          "type": "object",
          "required": ["requests", "duration"],
          "additionalProperties": false,
          "properties": {
            "requests": { "$ref": "#/$defs/count", "description": "Requests that were sent." },
            "duration": { "type": "number", "minimum": 0, "description": "Seconds." },
            "failed": { "type": "string", "description": "Why it did not come to its end; absent where it did." }
          }
        },
        "tokens": {
          "description": "Requests for access tokens; they are in no other count.",
          "type": "object",
          "required": ["requests", "failed"],
          "additionalProperties": false,
          "properties": {
            "requests": { "$ref": "#/$defs/count", "description": "Requests that were sent." },
            "failed": { "$ref": "#/$defs/count", "description": "Those that brought no token." }
          }
        },
        "lost_budget": {
          "description": "A budget that no rest of the load could have kept.",
          "type": "object",
          "required": ["at", "operation", "metric", "limit", "over", "allowed", "requests"],
          "additionalProperties": false,
          "properties": {
            "at": { "type": "number", "minimum": 0, "description": "Seconds since the run's start." },
            "operation": { "type": "string", "description": "The operationId, or `*` for all." },
            "metric": { "type": "string" },
            "limit": { "$ref": "#/$defs/measure" },
            "over": { "$ref": "#/$defs/count", "description": "Requests over the limit, or errors, by then." },
            "allowed": { "$ref": "#/$defs/count", "description": "How many of the whole load's requests may be." },
            "requests": { "$ref": "#/$defs/count", "description": "The most that the whole load could have brought." }
          }
        },
        "lost_credentials": {
          "description": "Every response to operations that had succeeded was 401, or 401 or 403, from a time on.",
          "type": "object",
          "required": ["at", "rejections"],
          "additionalProperties": false,
          "properties": {
            "at": { "type": "number", "minimum": 0, "description": "Seconds since the run's start." },
            "rejections": { "$ref": "#/$defs/count", "description": "Such responses from then on." },
            "forbidden": { "$ref": "#/$defs/count", "description": "Those of them with status 403; absent where only 401 was counted." },
            "after": { "type": "string", "description": "The successful write request before it: `POST /logout`; absent where there was none." }
          }
        },
        "load_stage": {
          "description": "A stage of the load; it changes linearly from its beginning to its end.",
          "type": "object",
          "required": ["unit", "from", "to", "start", "end"],
          "additionalProperties": false,
          "properties": {
            "unit": { "enum": ["sessions_per_second", "users"] },
            "from": { "type": "number", "minimum": 0 },
            "to": { "type": "number", "minimum": 0 },
            "start": { "type": "number", "minimum": 0, "description": "Seconds since the run's start." },
            "end": { "type": "number", "minimum": 0 }
          }
        }
    """

  static let regression = """
        "regression": {
          "description": "What the run says against earlier runs of the same load (`--baseline`); absent where none were given.",
          "type": "object",
          "required": ["baselines", "verdict", "reasons", "rows"],
          "additionalProperties": false,
          "properties": {
            "baselines": { "type": "array", "items": { "type": "string" }, "description": "The earlier results, by their files." },
            "verdict": { "$ref": "#/$defs/row_verdict" },
            "reasons": { "type": "array", "items": { "type": "string" } },
            "rows": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["operation", "metric", "verdict", "margin", "requests", "findings"],
                "additionalProperties": false,
                "properties": {
                  "operation": { "type": "string" },
                  "metric": { "enum": ["p50", "p95", "p99", "errors", "throughput"] },
                  "verdict": { "$ref": "#/$defs/row_verdict" },
                  "base": { "type": "number", "description": "Of the baseline: microseconds, a share, or answers per second." },
                  "candidate": { "type": "number", "description": "Of this run." },
                  "change": { "type": "number", "description": "How much worse this run is: 0.05 for 5 % slower, or a difference of shares." },
                  "low": { "type": "number", "description": "The lower end of the change's 90 % interval." },
                  "high": { "type": "number" },
                  "margin": { "type": "number", "description": "The slowdown that must be ruled out for a pass." },
                  "smallest_effect": { "type": "number", "description": "The smallest slowdown that would have been found with 95 %." },
                  "requests": { "$ref": "#/$defs/count", "description": "Of the side with fewer of them." },
                  "gap": { "type": "string", "description": "Why nothing can be said; absent where something can." },
                  "findings": { "type": "array", "items": { "type": "string" } }
                }
              }
            }
          }
        }
    """

  static let sessions = """
        "session": {
          "description": "What one kind of session did.",
          "type": "object",
          "required": ["session", "started", "completed", "failed", "unfinished"],
          "additionalProperties": false,
          "properties": {
            "session": { "type": "string" },
            "started": { "$ref": "#/$defs/count" },
            "completed": { "$ref": "#/$defs/count" },
            "failed": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "Ended by a failed step, the most frequent reason first." },
            "left": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "Left before the last step because an `on:` of the scenario says so; absent in results of versions before it." },
            "unfinished": { "$ref": "#/$defs/count", "description": "Still running when the load and its grace were over: neither completed nor failed." }
          }
        }
    """

  static let traffic = """
        "traffic": {
          "description": "A promise about the run's own traffic.",
          "type": "object",
          "required": ["kind", "limit", "met", "samples", "exceptions", "sentence", "verdict", "findings"],
          "additionalProperties": false,
          "properties": {
            "kind": { "enum": ["completed", "called", "sessions", "connections"], "description": "completed: sessions end as scripted. called: every operation that a step names is called and succeeds. sessions: every kind of session completes at least once. connections: requests find the connection of an earlier answer open." },
            "limit": { "type": "string", "description": "`99%`, `all`, or the names that are asked for." },
            "met": { "$ref": "#/$defs/count", "description": "How many of the samples kept it." },
            "samples": { "$ref": "#/$defs/count", "description": "completed: sessions that ended. called: operations. sessions: kinds of session." },
            "exceptions": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "completed: why sessions ended early, with counts. called: operations never called (0), or never successful (requests). sessions: kinds that never completed, with how many began." },
            "sentence": { "type": "string" },
            "verdict": { "$ref": "#/$defs/row_verdict" },
            "trials": { "$ref": "#/$defs/count", "description": "Of the samples, those that could have failed it." },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." }
          }
        }
    """

  static let ledger = """
        "ledger": {
          "description": "planned = sent + dropped; sent = answered + transport + cancelled + in_flight_at_end; answered = conformant + violating + unchecked.",
          "type": "object",
          "required": ["planned", "sent", "dropped", "answered", "transport", "cancelled", "in_flight_at_end", "conformant", "violating", "unchecked", "redirects"],
          "additionalProperties": false,
          "properties": {
            "planned": { "$ref": "#/$defs/count", "description": "Requests whose moment had come." },
            "sent": { "$ref": "#/$defs/count" },
            "dropped": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "Planned and never sent." },
            "answered": { "$ref": "#/$defs/count" },
            "transport": { "$ref": "#/$defs/count", "description": "No complete answer." },
            "cancelled": { "$ref": "#/$defs/count", "description": "Given up by the client on purpose." },
            "in_flight_at_end": { "$ref": "#/$defs/count" },
            "conformant": { "$ref": "#/$defs/count" },
            "violating": { "$ref": "#/$defs/count" },
            "unchecked": { "type": "array", "items": { "$ref": "#/$defs/reason_count" } },
            "redirects": { "$ref": "#/$defs/count", "description": "Redirects among the answered; each one that the scenario lets users follow is a request of its own." },
            "repeated": { "$ref": "#/$defs/count", "description": "Sendings beyond the first of a request whose connection was closed before an answer; not in sent." },
            "reusable": { "$ref": "#/$defs/count", "description": "Requests for which an earlier answer of their user had left a connection free." },
            "reopened": { "$ref": "#/$defs/count", "description": "Those of them that had to open another, for the server had closed it." }
          }
        }
    """
}
