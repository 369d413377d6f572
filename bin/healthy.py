"""The health check of the web container: does the server answer, asked by a name that it knows?"""

import os
import sys
from http.client import HTTPConnection, HTTPException

port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
host = os.environ["ALLOWED_HOSTS"].split(",")[0].strip().lstrip(".*") or "localhost"
connection = HTTPConnection("127.0.0.1", port, timeout=4)
try:
    connection.request("GET", "/healthz", headers={"Host": host})
    status = connection.getresponse().status
except (OSError, HTTPException) as error:
    sys.exit(f"/healthz does not answer: {error}")
sys.exit(None if status == 200 else f"/healthz answers {status} to the name {host}.")
