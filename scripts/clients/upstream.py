"""Every call that scripts written for the upstream API use, on plain HTTP: lists, runs, polling, downloads, saves and clean-up."""
import csv
import io
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

base, key = sys.argv[1].rstrip("/"), sys.argv[2]


def call(method, path, body=None, params=None, raw=False, expect=200):
    query = "?" + urllib.parse.urlencode(params, doseq=True) if params else ""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{base}/{path}{query}", data=data, method=method, headers={"Authorization": f"Key {key}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            status, content = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, content = error.code, error.read()
    assert status == expect, f"{method} {path}: {status} {content[:200]!r}"
    if raw:
        return content.decode()
    return json.loads(content) if content else None


def finished(job):
    until = time.time() + 60
    while job["status"] not in (3, 4):
        assert time.time() < until, "the job does not end"
        time.sleep(0.1)
        job = call("GET", f"api/jobs/{job['id']}")["job"]
    assert job["status"] == 3, job["error"]
    return job["query_result_id"]


user = call("GET", "api/session")["user"]
assert call("GET", "/api/session")["user"]["id"] == user["id"], "a doubled slash"
for flag in ("False", "true", "0", "no"):
    call("GET", "api/users", params={"disabled": flag})
page = call("GET", "api/queries")
assert page["page_size"] == 25 and page["page"] == 1, page
source = next(each for each in call("GET", "api/data_sources") if each["type"] == "telltale")
call("GET", f"api/data_sources/{source['id']}/schema")

query = call("POST", "api/queries", {"name": "By a script", "query": "select 1 as n, '=1+1' as text", "data_source_id": source["id"],
                                     "options": None, "tags": None, "schedule": None, "description": None})
for name in ("First", "Second"):
    query = call("POST", f"api/queries/{query['id']}", {"name": name, "is_draft": False, "version": 1})
started = call("POST", f"api/queries/{query['id']}/results", {"max_age": 0, "parameters": {}})
assert set(started) == {"job"}, started.keys()
result = finished(started["job"])
assert call("GET", f"api/query_results/{result}")["query_result"]["data"]["rows"][0]["n"] == 1
finished(call("POST", f"api/queries/{query['id']}/refresh")["job"])
assert "query_result" in call("POST", f"api/queries/{query['id']}/results")
rows = list(csv.reader(io.StringIO(call("GET", f"api/queries/{query['id']}/results.csv", raw=True))))
assert rows[1] == ["1", "=1+1"], rows
call("GET", f"api/queries/{query['id']}/results.json")
adhoc = call("POST", "api/query_results", {"data_source_id": source["id"], "query": "select 2 as n", "max_age": 0})
finished(adhoc["job"])

visualization = call("POST", "api/visualizations", {"query_id": query["id"], "type": "CHART", "name": "Chart", "options": {}, "description": ""})
call("GET", f"api/visualizations/{visualization['id']}")
dashboard = call("POST", "api/dashboards", {"name": "By a script"})
widget = call("POST", "api/widgets", {"dashboard_id": dashboard["id"], "visualization_id": visualization["id"], "options": {}, "text": "", "width": 1})
call("POST", "api/widgets", {"dashboard_id": dashboard["id"], "visualization_id": 0, "options": None, "text": "Text", "width": 1})
call("GET", f"api/widgets/{widget['id']}")
call("POST", f"api/dashboards/{dashboard['id']}", {"is_draft": False, "tags": ["script"], "version": 1})
assert len(call("GET", f"api/dashboards/{dashboard['id']}")["widgets"]) == 2
shared = call("POST", f"api/dashboards/{dashboard['id']}/share", {})
call("GET", f"api/dashboards/public/{shared['api_key']}")
call("DELETE", f"api/dashboards/{dashboard['id']}/share")
call("GET", f"api/dashboards/public/{shared['api_key']}", expect=404)
alert = call("POST", "api/alerts", {"name": "By a script", "query_id": query["id"], "options": {"column": "n", "op": ">", "value": 5}, "rearm": None})
call("GET", "api/alerts")
call("DELETE", f"api/alerts/{alert['id']}")
for path in ("api/queries/tags", "api/queries/my", "api/queries/recent", "api/dashboards/tags", "api/groups", "api/query_snippets",
             "api/destinations", "api/events", "api/organization/status", "api/config", "status.json"):
    call("GET", path)
call("POST", f"api/queries/{query['id']}/favorite", {})
call("POST", f"api/queries/{query['id']}/fork")
call("PUT", f"api/queries/{query['id']}", {}, expect=405)
call("DELETE", f"api/dashboards/{dashboard['id']}")
call("POST", f"api/queries/{query['id']}", {"is_archived": True})
assert call("GET", f"api/queries/{query['id']}")["is_archived"] is True
print("upstream script: every call answered as expected")
