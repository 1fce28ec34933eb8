"""Runs code that arrives as one JSON string per line, and prints its variable "result" as JSON."""

import json
import sys
import traceback

namespace: dict[str, object] = {}
for line in sys.stdin:
    namespace["result"] = None
    try:
        exec(json.loads(line), namespace)
        response = {"result": namespace["result"]}
    except Exception:
        response = {"error": traceback.format_exc()}
    print(json.dumps(response, default=str), flush=True)
