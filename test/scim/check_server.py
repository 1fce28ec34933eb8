"""Runs all checkers of scim2-tester against a SCIM server. Prints a JSON list of results: python check_server.py <base URL> <token>"""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

base_url, token = sys.argv[1:]
client = SyncSCIMClient(Client(base_url=base_url, headers={"Authorization": f"Bearer {token}"}))
results = [
    {
        "status": result.status.name,
        "title": result.title,
        "resourceType": result.resource_type,
        "reason": result.reason,
        "data": None if result.data is None else str(result.data)[:300],
    }
    for result in check_server(client)
]
print(json.dumps(results))
