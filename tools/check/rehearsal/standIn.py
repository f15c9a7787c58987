"""AWS on this machine: moto's server, and what it lacks for a deployment of this service, each with its reason.

    python standIn.py PORT BROKEN NODE

NODE runs the rules of ../awsRules. BROKEN is a file with the logical ids of resources that cannot be made, and of alarms that go off.
"""

import json
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import moto.cloudformation.models as cloudformation
import moto.cloudformation.parsing as parsing
from moto.apigateway import urls as apigateway_urls
from moto.apigateway.models import Method, apigateway_backends
from moto.cloudformation.responses import CloudFormationResponse
from moto.cloudwatch.models import cloudwatch_backends
from moto.core.common_models import CloudFormationModel
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table
from moto.awslambda.models import LambdaFunction
from moto.logs.models import LogGroup, logs_backends
from moto.server import main

# 1. Resources that moto's CloudFormation does not support. They get only a name.
STUBBED = [
    "AWS::ApiGateway::Authorizer",
    "AWS::ApiGateway::BasePathMapping",
    "AWS::ApiGateway::GatewayResponse",
    "AWS::S3::BucketPolicy",
]


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


class Alarm(Stub):
    """An alarm that exists for CloudWatch, without its metrics: moto does not know computed metrics."""

    __module__ = "moto.standIn.models"

    def __init__(self, name, account, region):
        self.physical_resource_id = name
        self.backend = cloudwatch_backends[account][region]
        never = {"comparison_operator": "GreaterThanThreshold", "evaluation_periods": 1, "period": 60, "threshold": 1.0}
        about = {"namespace": "", "metric_name": "", "statistic": "Sum", "description": "", "dimensions": [], "alarm_actions": []}
        self.arn = self.backend.put_metric_alarm(name=name, **never, **about).alarm_arn

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        return cls(cloudformation_json["Properties"]["AlarmName"], account_id, region_name)

    def delete(self, *_):
        self.backend.delete_alarms([self.physical_resource_id])


class ApiStage(Stub):
    """The stage of an API. moto has stages, and CloudFormation's part of them is here."""

    __module__ = "moto.standIn.models"

    def __init__(self, api, properties):
        self.physical_resource_id = properties["StageName"]
        self.api = api
        api.create_stage(self.physical_resource_id, properties["DeploymentId"], None, "", None, None, None, properties.get("TracingEnabled"))

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        properties = cloudformation_json["Properties"]
        return cls(apigateway_backends[account_id][region_name].apis[properties["RestApiId"]], properties)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource, cloudformation_json, **_):
        stage = original_resource.api.stages[original_resource.physical_resource_id]
        stage.deployment_id = cloudformation_json["Properties"]["DeploymentId"]
        return original_resource

    def delete(self, *_):
        self.api.stages.pop(self.physical_resource_id)


class Snapshot(Stub):
    """A deployment of an API, with the functions that its routes lead to."""

    __module__ = "moto.standIn.models"

    def __init__(self, backend, properties):
        self.api = backend.apis[properties["RestApiId"]]
        self.physical_resource_id = backend.create_deployment(self.api.id, None).id
        self.routes = {
            f"{method.http_method} {resource.get_path()}": method.method_integration.uri
            for resource in self.api.resources.values()
            for method in resource.resource_methods.values()
        }

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        return cls(apigateway_backends[account_id][region_name], cloudformation_json["Properties"])

    def delete(self, *_):
        if any(stage.deployment_id == self.physical_resource_id for stage in self.api.stages.values()):
            raise ValueError("Active stages pointing to this deployment must be moved or deleted")
        self.api.deployments.pop(self.physical_resource_id)


_class_of = parsing.resource_class_from_type
OWN = {"AWS::CloudWatch::Alarm": Alarm, "AWS::ApiGateway::Deployment": Snapshot, "AWS::ApiGateway::Stage": ApiStage, **dict.fromkeys(STUBBED, Stub)}
parsing.resource_class_from_type = lambda kind: OWN.get(kind) or _class_of(kind)

# 2. moto passes templates to cfn-lint, which runs separately (docs/deployment.md).
cloudformation.validate_template_cfn_lint = lambda template: []

# 3. moto loses a changed resource if it cannot change it. It deletes first what a template no longer has, and follows no
# dependencies. CloudFormation deletes last, when everything else is made and no alarm has gone off.
_update = parsing.parse_and_update_resource


def update_or_keep(logical_id, resource_json, resources_map, *args, **kwargs):
    before = resources_map[logical_id]
    return _update(logical_id, resource_json, resources_map, *args, **kwargs) or before


parsing.parse_and_update_resource = update_or_keep


def change(resources, name):
    place = (resources._account_id, resources._region_name)
    changed = parsing.parse_and_update_resource(name, resources._resource_json_map[name], resources, *place)
    resources._parsed_resources[name] = changed


def make_and_change(resources, template, parameters):
    """@returns what the template no longer has, with what it was"""
    old, new = resources._resource_json_map, template["Resources"]
    different = resources.build_resource_diff(template, parameters)
    resources._template, resources._resource_json_map = template, new
    done = set()

    def visit(name):
        if name in done:
            return
        done.add(name)
        text = json.dumps({**new[name], "Type": ""})
        for other in new:
            if f'"{other}"' in text or f"${{{other}" in text:
                visit(other)
        if name in different["Modify"]:
            change(resources, name)
        resources[name]

    for name in new:
        visit(name)
    return {name: old[name] for name in different["Remove"] if name in resources._parsed_resources}


def delete_all(resources, left):
    """In several passes: a resource may be in use by another one."""
    while left:
        failures = {}
        for name, resource in left.items():
            try:
                resources._delete_resource(resources._parsed_resources[name], resource)
                resources._parsed_resources.pop(name)
            except ValueError as error:
                failures[name] = error
        if len(failures) == len(left):
            raise next(iter(failures.values()))
        left = {name: left[name] for name in failures}


# moto neither changes nor deletes methods.
_make_method = Method.create_from_cloudformation_json.__func__


def make_method(cls, resource_name, cloudformation_json, account_id, region_name, **more):
    properties = cloudformation_json["Properties"]
    method = _make_method(cls, resource_name, cloudformation_json, account_id, region_name, **more)
    method.path = apigateway_backends[account_id][region_name].get_resource(properties["RestApiId"], properties["ResourceId"])
    return method


def change_method(cls, original_resource, new_resource_name, **more):
    return make_method(cls, new_resource_name, **more)


Method.create_from_cloudformation_json = classmethod(make_method)
Method.update_from_cloudformation_json = classmethod(change_method)
Method.delete = lambda method, *_: method.path.resource_methods.pop(method.http_method)


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
    if logical_id in Path(sys.argv[2]).read_text().split():
        raise ValueError(f"{logical_id} cannot be made, as the rehearsal wants it")
    kind = resource_json["Type"]
    if kind in NAMED:
        name_property, things_of = NAMED[kind]
        there = things_of(account_id, region_name).get(resource_json["Properties"].get(name_property))
        if there is not None:
            if not (getattr(resources_map, "imports", False) and resource_json.get("DeletionPolicy") in OUTLIVES):
                raise ValueError(f"{resource_json['Properties'][name_property]} already exists")
            there.cf_resource_type, there.logical_resource_id = kind, logical_id
            resources_map.imported.add(logical_id)
            return there
    return _create(logical_id, resource_json, resources_map, account_id, region_name)


parsing.parse_and_create_resource = create_or_import

_create_change_set = CloudFormationResponse.create_change_set


def create_change_set(self):
    result = _create_change_set(self)
    backend = self.cloudformation_backend
    change_set = list(backend.change_sets.values())[-1]
    change_set.imports = self._get_bool_param("ImportExistingResources", False)
    # The triggers of the last deployment, unless this one has its own.
    watched = self._get_param("RollbackConfiguration")
    if watched is not None:
        change_set.stack.triggers = [trigger["Arn"] for trigger in watched.get("RollbackTriggers") or []]
    return result


CloudFormationResponse.create_change_set = create_change_set


# 6. moto neither rolls back a failed deployment, nor reports the failure.
def fail(stack, logical_id, resource, status, reason):
    event = cloudformation.Event(
        stack_id=stack.stack_id,
        stack_name=stack.name,
        logical_resource_id=logical_id,
        physical_resource_id="",
        resource_type=resource["Type"],
        resource_status=status,
        resource_status_reason=reason,
        resource_properties=None,
    )
    stack.events.append(event)


def watch(resources, triggers):
    """As CloudFormation does: a missing alarm fails the deployment, and so does one that goes off."""
    alarms = {one.arn: name for name, one in resources._parsed_resources.items() if isinstance(one, Alarm)}
    for arn in triggers:
        if arn not in alarms:
            raise ValueError(f"There is no alarm {arn}")
        if alarms[arn] in Path(sys.argv[2]).read_text().split():
            raise ValueError(f"The alarm {arn} went off")


def apply(self):
    stack, resources = self.stack, self.stack.resource_map
    before = (resources._template, resources._resource_json_map, dict(resources._parsed_resources))
    resources.imports, resources.imported = getattr(self, "imports", False), set()
    new = self.template_dict["Resources"]
    added = [name for name in new if name not in before[1]]
    try:
        refuse(new, before[1])
        gone = make_and_change(resources, self.template_dict, self.parameters)
        watch(resources, getattr(stack, "triggers", []))
        delete_all(resources, gone)
        refuse_dead_routes(stack)
    except Exception as error:  # noqa: BLE001
        culprit = next((name for name in added if name not in resources._parsed_resources), added[-1] if added else "UsersTable")
        fail(stack, culprit, new[culprit], "CREATE_FAILED" if culprit in added else "UPDATE_FAILED", str(error))
        stack._add_stack_event("UPDATE_ROLLBACK_IN_PROGRESS", resource_status_reason=f"{culprit}: {error}")
        made = {name: one for name, one in resources._parsed_resources.items() if name in added}
        resources._template, resources._resource_json_map, resources._parsed_resources = before
        # CloudFormation gives changed resources the properties of the template before.
        for name, old in before[1].items():
            if new.get(name, old) != old:
                change(resources, name)
        for name in reversed(made):
            if name in resources.imported or new[name].get("DeletionPolicy") == "Retain":
                continue
            try:
                resources._delete_resource(made[name], new[name])
            except Exception as left:  # noqa: BLE001
                fail(stack, name, new[name], "DELETE_FAILED", str(left))
        raise RolledBack from error


class RolledBack(Exception):
    pass


cloudformation.ChangeSet.apply = apply

_execute = cloudformation.CloudFormationBackend.execute_change_set


def execute_change_set(self, change_set_name, stack_name=None):
    try:
        _execute(self, change_set_name, stack_name)
    except RolledBack:
        stack = self.get_stack(stack_name)
        stack.status = "UPDATE_ROLLBACK_COMPLETE"
        stack._add_stack_event("UPDATE_ROLLBACK_COMPLETE")


cloudformation.CloudFormationBackend.execute_change_set = execute_change_set

# 7. moto does not return the outputs of a stack after a change set, which "info" reads.
_apply = cloudformation.ChangeSet.apply


def apply_and_put_out(self):
    _apply(self)
    self.stack.template_dict = self.template_dict
    self.stack.output_map = cloudformation.OutputMap(self.stack.resource_map, self.template_dict, self.stack_id)


cloudformation.ChangeSet.apply = apply_and_put_out

# 8. moto keeps only resources with the policy Retain, and only when a whole stack is deleted.
_delete_resource = parsing.ResourceMap._delete_resource


def delete_unless_retained(self, resource, resource_json):
    is_rolling_back = sys._getframe(1).f_code is apply.__code__
    if resource_json.get("DeletionPolicy") in OUTLIVES and not is_rolling_back:
        return
    _delete_resource(self, resource, resource_json)


parsing.ResourceMap._delete_resource = delete_unless_retained


# 9. The account's role for the logs of API Gateway.
ACCOUNT = {"cloudwatchRoleArn": "arn:aws:iam::123456789012:role/api-gateway-logs"}


def get_account(request, full_url, headers):
    return 200, {}, json.dumps(ACCOUNT)


apigateway_urls.url_paths["{0}/account$"] = get_account

# 10. AWS serves routes that lead to functions which are gone. Here such a deployment fails.
def refuse_dead_routes(stack):
    parts = stack.resource_map._parsed_resources.values()
    functions = [one.function_arn for one in parts if isinstance(one, LambdaFunction)]
    snapshots = {one.physical_resource_id: one for one in parts if isinstance(one, Snapshot)}
    for stage in [one for one in parts if isinstance(one, ApiStage)]:
        served = snapshots[stage.api.stages[stage.physical_resource_id].deployment_id]
        dead = [route for route, uri in served.routes.items() if uri.split("/functions/")[1].split("/")[0] not in functions]
        if dead:
            raise ValueError(f"Routes lead to functions that are gone: {dead}")


# 11. What AWS refuses, and moto accepts.
RULES = Path(__file__).parent.parent / "awsRules" / "check.ts"


def refuse(after, before):
    templates = json.dumps({"after": after, "before": before})
    said = subprocess.run([sys.argv[3], RULES], input=templates, stdout=subprocess.PIPE, text=True, check=True).stdout
    if said:
        raise ValueError(said)


if __name__ == "__main__":
    main(["-H", "127.0.0.1", "-p", sys.argv[1]])
