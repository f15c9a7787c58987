"""What the OpenAPI document says in words, because OpenAPI 3.1 has no schema for it."""

import json
import re

import schemathesis
from schemathesis import GenerationMode

MERGE_PATCHES = ("application/merge-patch+json", "application/json")


def is_beyond_int64(value):
    is_integer = re.fullmatch("-?[0-9]+", str(value))
    return is_integer and not -(2**63) <= int(value) < 2**63


def could_change_a_prototype(value):
    """Whether a value has a member that is refused wherever it is, which a schema cannot say."""
    if isinstance(value, list):
        return any(could_change_a_prototype(each) for each in value)
    if not isinstance(value, dict):
        return False
    maker = value.get("constructor")
    is_refused = "__proto__" in value or (isinstance(maker, dict) and "prototype" in maker)
    return is_refused or any(could_change_a_prototype(each) for each in value.values())


def is_beside_attributes(body):
    """Whether attributes are more in all, or nearer to 0, than there may be."""
    attributes = body.get("attributes") if isinstance(body, dict) else None
    if not isinstance(attributes, dict):
        return False
    numbers = [value for value in attributes.values() if isinstance(value, float)]
    return len(json.dumps(attributes)) > 3000 or any(0 < abs(number) < 1e-130 for number in numbers)


def is_walk(case):
    """Whether a list is asked for in parts: most texts are no place in it, and the document has only words for the response."""
    return case.path == "/api/users" and case.method == "GET" and "after" in (case.query or {})


def is_no_flag(query):
    """Whether a filter of an attribute that ends in `.missing` has another value than true or false, which a schema of all filters cannot say."""
    attributes = query.get("attributes")
    members = {**query, **(attributes if isinstance(attributes, dict) else {})}
    return any(
        name.startswith("attributes.") and name.endswith(".missing") and value not in ("true", "false")
        for name, value in members.items()
    )


# Each list has the filters of this one, which the same code reads. Of the others these are tried, and their own parameters.
ALL_FILTERS = "listUsers"
ALSO = {"Sort", "Fields", "UnlessChanged", "Prefer", "Status", "AgeGte", "CreatedAtLt", "Q"}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Leaves out what would be tried five times."""
    operations = [each for path in raw_schema["paths"].values() for each in path.values() if "parameters" in each]
    shared = {
        parameter["$ref"].split("/")[-1]
        for each in operations
        for parameter in each["parameters"]
        if each["operationId"] == ALL_FILTERS
    } - ALSO
    for each in operations:
        if each["operationId"] != ALL_FILTERS:
            each["parameters"] = [one for one in each["parameters"] if one.get("$ref", "").split("/")[-1] not in shared]


@schemathesis.hook
def filter_case(context, case):
    """Leaves out walks, such bodies, users without all members, two directions, creations with a given id, which most numbers cannot be, and numbers
    that a format has no bits for: as a filter they are no error."""
    query = case.query or {}
    if "id" in (case.path_parameters or {}) and (case.headers or {}).get("If-None-Match") == "*":
        return False
    if could_change_a_prototype(case.body) or "fields" in query or {"after", "before"} <= query.keys():
        return False
    if is_beside_attributes(case.body) or is_walk(case) or is_no_flag(query):
        return False
    # Of another type than it should be it is sent as blank, and that is none.
    if any(value in ("", {}, []) for value in query.values()):
        return False
    return not any(is_beyond_int64(value) for name, value in query.items() if name not in ("page", "cursor", "id"))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Only one user has the example."""
    if isinstance(case.body, dict) and case.body.get("externalId") == "auth0|6551b2c4":
        del case.body["externalId"]


@schemathesis.check
def merge_patch_acceptance(ctx, response, case):
    """Unlike a JSON Patch, a merge patch that fits its schema makes a valid user."""
    is_merge_patch = case.method == "PATCH" and case.media_type in MERGE_PATCHES
    is_valid = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if is_merge_patch and is_valid and response.status_code == 400:
        raise AssertionError(f"A valid merge patch was refused: {response.text}")
