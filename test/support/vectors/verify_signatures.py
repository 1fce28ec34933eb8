"""Verifies both signatures of requests with the hmac of Python over the raw bytes. Prints the verdicts as JSON."""

import base64, hashlib, hmac, json, sys
def verdict(case):
    body = base64.b64decode(case["body"])
    t, v1 = (part.split("=", 1)[1] for part in case["header"].split(","))
    own = hmac.new(case["secret"].encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    key = base64.b64decode(case["secret"][6:])
    signed = ("evt_1." + t + ".").encode() + body
    standard = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return [hmac.compare_digest(own, v1), hmac.compare_digest(standard, case["standard"])]
print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
