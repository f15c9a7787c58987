"""Calls the door at the address of the first argument as the official client does, in the revision of the second, and prints what it got as JSON."""
import asyncio
import json
import os
import sys

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, mode: str, calls: list) -> dict:
    headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            results = [await client.call_tool(name, arguments) for name, arguments in calls]
            return {
                "revision": client.protocol_version,
                "listChanged": client.server_capabilities.tools.list_changed,
                "tools": [tool.name for tool in tools],
                "results": [[result.is_error, result.content[0].text] for result in results],
            }


print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], json.load(sys.stdin)))))
