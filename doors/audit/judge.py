"""Answers a query for Athena from a file of lines, as DuckDB answers it: the tables, and the rows in JSON."""
import json
import sys

import duckdb
import sqlglot

query = json.load(sys.stdin)
[sql] = sqlglot.transpile(query["sql"], read="athena", write="duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE)
database = duckdb.connect()
database.execute("CREATE TABLE changes (line varchar, day varchar)")
with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
    database.executemany("INSERT INTO changes VALUES (?, ?)", [[line.rstrip("\n"), query["day"]] for line in file])
answer = database.execute(sql)
names = [column[0] for column in answer.description]
print(json.dumps([dict(zip(names, row)) for row in answer.fetchall()]))
