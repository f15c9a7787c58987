"""Imports all modules of a generated client: Python compiles what it imports."""

import importlib
import pkgutil
import sys

sys.path.insert(0, sys.argv[1])
client = importlib.import_module("user_management")
modules = [name for _, name, _ in pkgutil.walk_packages(client.__path__, "user_management.")]
for name in modules:
    importlib.import_module(name)
if "user_management.api.users_api" not in modules:
    raise SystemExit(f"There is no client in {sys.argv[1]}")
