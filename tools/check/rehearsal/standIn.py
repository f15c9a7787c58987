"""AWS on this machine: moto's server, and what it lacks for a deployment of this service, each with its reason.

    python standIn.py PORT
"""

import sys
from uuid import uuid4

import moto.cloudformation.models as cloudformation
import moto.cloudformation.parsing as parsing
from moto.apigateway.models import Deployment
from moto.cloudformation.responses import CloudFormationResponse
from moto.core.common_models import CloudFormationModel
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table
from moto.logs.models import logs_backends
from moto.server import main


# 1. Resources that moto's CloudFormation does not support, such as gateway responses and alarms. They get only a name.
class Stub(CloudFormationModel):
    # The name under which moto registers its models.
    __module__ = "moto.standIn.models"

    def __init__(self, name):
        self.physical_resource_id = f"{name}-{uuid4().hex[:8]}"

    def get_cfn_attribute(self, attribute):
        return f"{self.physical_resource_id}.{attribute}"

    @classmethod
    def has_cfn_attr(cls, attr):
        return True

    @staticmethod
    def cloudformation_name_type():
        return ""

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, *_, **__):
        return cls(resource_name)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource, **_):
        return original_resource

    def delete(self, *_):
        pass


# What a reference to a snapshot of an API means.
Deployment.physical_resource_id = property(lambda snapshot: snapshot.id)

_class_of = parsing.resource_class_from_type
parsing.resource_class_from_type = lambda kind: _class_of(kind) or Stub

# 2. moto passes templates to cfn-lint, which runs separately (docs/deployment.md).
cloudformation.validate_template_cfn_lint = lambda template: []

# 3. moto loses a changed resource if it cannot change it.
_update = parsing.parse_and_update_resource


def update_or_keep(logical_id, resource_json, resources_map, *args, **kwargs):
    before = resources_map[logical_id]
    return _update(logical_id, resource_json, resources_map, *args, **kwargs) or before


parsing.parse_and_update_resource = update_or_keep


# 4. moto does not change tables. Here only their protection changes.
def update_table(cls, original_resource, new_resource_name, cloudformation_json, account_id, region_name):
    original_resource.deletion_protection_enabled = cloudformation_json["Properties"].get("DeletionProtectionEnabled", False)
    return original_resource


Table.update_from_cloudformation_json = classmethod(update_table)

# 5. Change sets that import existing resources (ImportExistingResources). As in AWS, these must have a name of the template
# and outlive the stack.
NAMED = {
    "AWS::DynamoDB::Table": ("TableName", lambda account, region: dynamodb_backends[account][region].tables),
    "AWS::Logs::LogGroup": ("LogGroupName", lambda account, region: logs_backends[account][region].groups),
}
OUTLIVES = ("Retain", "RetainExceptOnCreate")

_create = parsing.parse_and_create_resource


def create_or_import(logical_id, resource_json, resources_map, account_id, region_name):
    kind = resource_json["Type"]
    if kind in NAMED:
        name_property, things_of = NAMED[kind]
        there = things_of(account_id, region_name).get(resource_json["Properties"].get(name_property))
        if there is not None:
            if not (getattr(resources_map, "imports", False) and resource_json.get("DeletionPolicy") in OUTLIVES):
                raise ValueError(f"{resource_json['Properties'][name_property]} already exists")
            there.cf_resource_type, there.logical_resource_id = kind, logical_id
            return there
    return _create(logical_id, resource_json, resources_map, account_id, region_name)


parsing.parse_and_create_resource = create_or_import

_create_change_set = CloudFormationResponse.create_change_set


def create_change_set(self):
    result = _create_change_set(self)
    change_set = list(self.cloudformation_backend.change_sets.values())[-1]
    change_set.stack.resource_map.imports = self._get_bool_param("ImportExistingResources", False)
    return result


CloudFormationResponse.create_change_set = create_change_set

# 6. moto keeps only resources with the policy Retain, and only when a whole stack is deleted.
_delete_resource = parsing.ResourceMap._delete_resource


def delete_unless_retained(self, resource, resource_json):
    if resource_json.get("DeletionPolicy") not in OUTLIVES:
        _delete_resource(self, resource, resource_json)


parsing.ResourceMap._delete_resource = delete_unless_retained

if __name__ == "__main__":
    main(["-H", "127.0.0.1", "-p", sys.argv[1]])
