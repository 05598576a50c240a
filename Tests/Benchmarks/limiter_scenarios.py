"""The scenarios with which the limiter bench tries a limiter: with the right declaration, with wrong ones, and with none."""
import math

from limiter_servers import IDENTITIES, KEY, PORT

CASES = ["black box", "right", "quota +20 %", "quota -20 %", "half the window", "algorithm", "key"]
# The algorithm that resembles each one most.
NEIGHBOURS = {"fixed": "fixed-aligned", "fixed-aligned": "fixed", "sliding-log": "fixed", "sliding-counter": "sliding-log",
              "token-bucket": "sliding-counter"}


def window(limit):
    """In seconds: for a token bucket the time in which the whole bucket fills; 4 s for a limit on requests in flight."""
    if "rate" in limit:
        return limit["burst"] / float(limit["rate"].removesuffix("/s"))
    return float(limit.get("per", "4s").removesuffix("s"))


def quota(limit):
    return next(limit[name] for name in ("allow", "burst", "concurrent") if name in limit)


def declared(limiter, case):
    """The limits that the scenario declares; None where the case says nothing of this limiter."""
    limits = {name: dict(limit) for name, limit in limiter.truth.items()}
    if case == "black box":
        return {}
    if limiter.fault and case != "right":
        return None
    limit = next(iter(limits.values()))
    amount = next(name for name in ("allow", "burst", "concurrent") if name in limit)
    if case == "quota +20 %":
        limit[amount] += math.ceil(limit[amount] / 5)
    elif case == "quota -20 %":
        limit[amount] -= math.ceil(limit[amount] / 5)
    elif case == "half the window" and "rate" in limit:
        limit["rate"] = f"{2 * float(limit['rate'].removesuffix('/s')):g}/s"
    elif case == "half the window" and "per" in limit:
        limit["per"] = f"{window(limit) / 2:g}s"
    elif case == "algorithm" and "algorithm" in limit:
        other = limiter.neighbour or NEIGHBOURS[limit["algorithm"]]
        if "rate" in limit:
            limit.update(allow=limit["burst"], per=f"{window(limit):g}s")
            del limit["rate"], limit["burst"]
        limit["algorithm"] = other
    elif case == "key":
        limit["key"] = "ip" if limit["key"] != "ip" else KEY
    elif case != "right":
        return None
    return limits if quota(limit) > 0 else None


def scenario(limiter, limits):
    """The requests of six clients: bursts above the quota, and what distinguishes the algorithms. Two clients send from one
    address, and two with one key."""
    whole = max([window(limit) for limit in limiter.truth.values()])
    most = max(quota(limit) for limit in limiter.truth.values())
    call = {"call": "word", "query": limiter.query}
    if "number" in limiter.path:
        call["path"] = {"number": 1}

    def wait(share):
        return {"think": f"{share * whole:.2f}s"}

    def burst(share):
        return {"burst": math.ceil(share * most), "over": "50ms", **call}

    steps = [burst(1.6), {"repeat": 11, "steps": [wait(0.1), call]}, wait(1.5), burst(0.5), wait(0.45), burst(0.5), wait(0.65),
             burst(1.3), wait(0.6), burst(0.5)]
    keys = {limit["key"] for limit in [*limiter.truth.values(), *limits.values()]}
    sessions = {}
    for name, address, shared in [("alone", "127.0.1.${int(1, 250)}", False), ("same-address", "127.0.0.2", False),
                                  ("same-key", "127.0.2.${int(1, 250)}", True)]:
        headers = {field: text[shared] for key in keys for field, text in IDENTITIES.get(key, {}).items()}
        sessions[name] = {"client": {"address": address, "headers": headers}, "steps": steps}
    tested = {"tested": ["allowance", "window", "length", "algorithm"]}
    checks = {name: {"operations": ["word"], **limit, **({} if "concurrent" in limit else tested)}
              for name, limit in limits.items()}
    return {"name": limiter.name, "contract": "openapi.json", "target": f"http://127.0.0.1:{PORT}", "sessions": sessions,
            "load": {"stages": [{"users": "0..6", "for": f"{1.2 * whole:g}s"}, {"users": 6, "for": f"{5 * whole:g}s"}],
                     "iterations": 1},
            **({"expect": {"limits": checks}} if checks else {})}


def contract(limiter):
    place = [{"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1, "maximum": 8}}]
    queries = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in limiter.query]
    statuses = {"200": "a word", **{str(status): "a rejection" for limit in limiter.truth.values()
                                    for status in limit.get("refusals", [429])}}
    operation = {"operationId": "word", "parameters": (place if "number" in limiter.path else []) + queries,
                 "responses": {status: {"description": text, "content": {"*/*": {}}} for status, text in statuses.items()}}
    return {"openapi": "3.1.0", "info": {"title": limiter.name, "version": "1"}, "paths": {limiter.path: {"get": operation}}}
