"""The actions that CloudFormation needs for resources of some types, as JSON, by the schemas of its registry, which cfn-lint has with it:

    python actions.py AWS::SQS::Queue …

https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html says what `handlers` is.
"""

import json
import pathlib
import sys

import cfnlint

# A template makes, changes and deletes resources, and reads them meanwhile. It does not list them.
HANDLERS = ("create", "read", "update", "delete")

schemas = pathlib.Path(cfnlint.__file__).parent / "data/schemas/resources"
found = {}
for file in schemas.glob("*.json"):
    schema = json.loads(file.read_text())
    if schema.get("typeName") in sys.argv[1:]:
        handlers = [schema.get("handlers", {}).get(name, {}) for name in HANDLERS]
        actions = {action for handler in handlers for action in handler.get("permissions", [])}
        found.setdefault(schema["typeName"], set()).update(actions)

print(json.dumps({name: " ".join(sorted(found.get(name, []))) for name in sorted(sys.argv[1:])}))
