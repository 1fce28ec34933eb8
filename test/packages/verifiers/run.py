"""Verifies the deliveries on the standard input and prints their outcomes as JSON."""

import json, sys
from verify_webhook import WebhookVerificationError, verify_webhook
def outcome(case):
    try:
        verify_webhook(case["body"].encode(), case["headers"], case["secrets"], now=case["now"])
        return "verified"
    except WebhookVerificationError as error:
        return str(error)
print(json.dumps([outcome(case) for case in json.load(sys.stdin)]))
