"""Verifies webhooks as the official library does: a line for each, which is empty, or says why it is refused."""
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

for each in json.load(sys.stdin):
    try:
        Webhook(each["secret"]).verify(each["body"], each["headers"])
        print()
    except WebhookVerificationError as error:
        print(error)
