"""Uses a generated client, and ends with an error at the first response that is not as the API promises."""

import json
import re
import sys
import time
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, sys.argv[1])

from user_management import ApiClient, Configuration, UserInput, UsersApi  # noqa: E402


class Client(ApiClient):
    """Sends the members of an object as parameters, as its `style` and `explode` say: the generator makes JSON of them."""

    def parameters_to_url_query(self, params, collection_formats):
        each = [pair for name, value in params for pair in (value.items() if isinstance(value, dict) else [(name, value)])]
        return super().parameters_to_url_query(each, collection_formats)


api = UsersApi(Client(Configuration(host=sys.argv[2])))
status = f"python{time.time_ns()}"
for name, team in {"Ann": "red", "Bea": "blue", "Cem": "red"}.items():
    api.create_user(UserInput(name=name, status=status, attributes={"team": team}))

red = api.list_users(status=[status], attributes={"attributes.team": "red", "attributes.team.not": "blue"})
assert [user.name for user in red.content] == ["Ann", "Cem"], red

# A walk: each response is an array, for which the client has no type, and the link has the next place.
walked, after = [], ""
while after is not None:
    response = api.list_users_without_preload_content(status=[status], after=after, size=2, sort=["name,desc"])
    walked += [user["name"] for user in json.loads(response.data)]
    link = re.search('<([^>]*)>; rel="next"', response.headers.get("link") or "")
    after = parse_qs(urlsplit(link[1]).query)["after"][0] if link else None
assert walked == ["Cem", "Bea", "Ann"], walked
