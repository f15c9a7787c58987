"""AWS on this machine: MiniStack, and what it lacks for this service, each with its reason.

    AUTH=true GATEWAY_PORT=PORT python standIn.py
"""

import base64
import json
import os
import re
import runpy
import tempfile

from ministack.core import iam_actions, iam_evaluator, lambda_runtime
from ministack.core.responses import get_region
from ministack.services import apigateway_v1, cloudwatch_logs, dynamodb, eventbridge, iam
from ministack.services.cloudformation import provisioners


def around(functions, name):
    """Puts a function around the one of a module, or of a dictionary. It gets that one first."""
    named = functions if isinstance(functions, dict) else vars(functions)
    original = named[name]

    def put(wrapper):
        named[name] = lambda *args, **options: wrapper(original, *args, **options)

    return put


# 1. Node as in Lambda: it finds handlers in .mjs files, which it imports, then in .cjs files, and has the functions that stream, and a client of SNS. A
# stream is sent when it is complete.
lambda_runtime._NODEJS_WORKER_SCRIPT = """
require.extensions['.mjs'] = () => { throw Object.assign(new Error('It is imported'), { code: 'ERR_REQUIRE_ESM' }); };
require.extensions['.cjs'] = require.extensions['.js'];
globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const out = new (require('node:stream').PassThrough)();
    const body = out.toArray();
    await handler(event, out, context);
    return { ...out.prelude, stream: Buffer.concat(await body).toString('base64') };
  },
  HttpResponseStream: { from: (out, prelude) => Object.assign(out, { prelude }) },
};
""" + lambda_runtime._NODEJS_WORKER_SCRIPT.replace("const _SPECIFIC_STUBS = {", """
  class PublishCommand {
    constructor(input) {
      const body = String(new URLSearchParams({ Action: 'Publish', Version: '2010-03-31', ...input }));
      const at = new URL(process.env.AWS_ENDPOINT_URL);
      const headers = _signedHeaders('sns', 'POST', at, '/', body, { 'Content-Type': 'application/x-www-form-urlencoded' });
      this.run = async () => {
        const response = await fetch(at, { method: 'POST', headers, body });
        if (!response.ok) throw new Error(await response.text());
      };
    }
  }
  class SNSClient {
    send(command) { return command.run(); }
  }
  const _SPECIFIC_STUBS = {
    "@aws-sdk/client-sns": { PublishCommand, SNSClient },
""")


@around(apigateway_v1, "_lambda_proxy_response")
def respond(original, result):
    response, error = original(result)
    if response and "stream" in response:
        response["body"] = base64.b64decode(response.pop("stream"))
    return response, error


# Its address in API Gateway: .../2021-11-15/functions/arn:.../response-streaming-invocations
@around(apigateway_v1, "_extract_lambda_ref_from_integration_uri")
def function_of(original, uri):
    return original(uri.replace("/response-streaming-invocations", "/invocations"))


# 2. A batch of statements needs a permission for each.
@around(iam_actions, "dynamodb_transaction_checks")
def permissions_of(original, action, body, region, account):
    if action != "dynamodb:BatchExecuteStatement":
        return original(action, body, region, account)
    texts = [statement["Statement"] for statement in json.loads(body)["Statements"]]
    parts = [re.match(r'(\w+).*?"([^"]+)"', text).groups() for text in texts]
    table = f"arn:aws:dynamodb:{region}:{account}:table"
    return [(f"dynamodb:PartiQL{verb.capitalize()}", f"{table}/{name}") for verb, name in parts]


# 3. Conditions: of TLS, which nobody needs on loopback, of the partition of an item, and of the function that has credentials.
@around(iam_evaluator, "pin_request_origin")
def pin_origin(original, address, _):
    original(address, True)


@around(iam_actions, "dynamodb_service_context")
def conditions_of_item(original, body):
    key = json.loads(body or "{}").get("Key", {})
    return {**original(body), **({"dynamodb:LeadingKeys": list(key["pk"].values())} if "pk" in key else {})}


@around(iam_evaluator, "_principal_keys")
def conditions_of_caller(original, credential):
    name = credential.principal_arn.split("/")[-1]
    function = f"arn:aws:lambda:{get_region()}:{credential.account_id}:function:{name}"
    return {**original(credential), "lambda:sourcefunctionarn": function}


# 4. Alarms on a formula get only a name.
@around(provisioners, "_cw_metric_alarm_record")
def alarm_of(original, name, properties):
    formula = {"Metrics": None, "MetricName": "formula", "Namespace": "formula"} if "Metrics" in properties else {}
    return original(name, {**properties, **formula})


# 5. Roles get their boundary, and what a stack creates must not exist.
handlers = provisioners._RESOURCE_HANDLERS


def bound(original, *args):
    name, attributes = original(*args)
    properties = [each for each in args if isinstance(each, dict)][-1]
    iam._roles[name]["PermissionsBoundary"] = properties.get("PermissionsBoundary")
    return name, attributes


around(handlers["AWS::IAM::Role"], "create")(bound)
around(handlers["AWS::IAM::Role"], "update")(bound)


def refuse_second(kind, name_property, existing):
    @around(handlers[kind], "create")
    def create(original, logical_id, properties, stack):
        name = properties.get(name_property)
        if name in existing:
            raise ValueError(f"{name} already exists")
        return original(logical_id, properties, stack)


refuse_second("AWS::DynamoDB::Table", "TableName", dynamodb._tables)
refuse_second("AWS::Logs::LogGroup", "LogGroupName", cloudwatch_logs._log_groups)


# 6. Whoever rehearses says what CloudTrail would: only AWS may send such events.
@around(eventbridge, "_put_events")
def put_events(original, data):
    return original(data, allow_aws_source=True)


# 7. Athena has queries with names, which nothing here asks for.
handlers["AWS::Athena::NamedQuery"] = {
    "create": lambda logical_id, properties, stack: (logical_id, {}),
    "delete": lambda *args: None,
}


# What roles are refused is written down, so that a rehearsal can tell.
@around(iam_evaluator, "enforce")
def enforce(original, access_key, action, service, region, resource_arn="*", service_context=None):
    refusal = original(access_key, action, service, region, resource_arn, service_context)
    if refusal:
        caller = getattr(refusal, "principal_arn", access_key).split("/")[-1]
        with open(os.path.join(tempfile.gettempdir(), "refusals"), "a") as refusals:
            refusals.write(f"{caller} {action} {resource_arn}\n")
    return refusal


if __name__ == "__main__":
    runpy.run_module("ministack", run_name="__main__")

