"""Runs code that arrives as one JSON string per line, and prints its variable "result" as JSON."""

import json
import sys
import traceback

namespace: dict[str, object] = {}
for line in sys.stdin:
    namespace["result"] = None
    try:
        exec(json.loads(line), namespace)
        answer = {"result": namespace["result"]}
    except Exception:
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer, default=str), flush=True)
