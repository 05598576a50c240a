"""Files of other tools in which a text stands wherever they have a text of their own."""

import json


def har(text):
    def entry(method, url, fields, body, answer):
        return {
            "startedDateTime": "2026-01-01T00:00:00.000Z",
            "time": 1,
            "request": {
                "method": method,
                "url": url,
                "headers": fields,
                "bodySize": 0,
                "postData": {"mimeType": "application/json", "text": json.dumps(body)},
            },
            "response": {
                "status": 200,
                "headers": fields,
                "content": {"mimeType": "application/json", "text": json.dumps(answer)},
            },
        }

    fields = [{"name": "X-" + text, "value": text}, {"name": "X-B", "value": text}]
    return json.dumps(
        {
            "log": {
                "pages": [{"title": text}],
                "entries": [
                    entry(
                        "POST",
                        "http://127.0.0.1:9/things",
                        fields,
                        {text: text, "name": text},
                        {"id": text, text: text},
                    ),
                    entry("GET", "http://127.0.0.1:9/things?q=" + text, fields, {}, [{"id": text}]),
                    entry("GET" + text, "http://127.0.0.1:9/" + text, [], {}, {}),
                ],
            }
        }
    )


def postman(text):
    form = [{"key": text, "type": "file", "src": text}, {"key": "a", "value": text, "type": "text"}]
    return json.dumps(
        {
            "info": {"name": text, "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable": [{"key": text, "value": text}],
            "item": [
                {
                    "name": text,
                    "item": [
                        {
                            "name": text,
                            "request": {
                                "method": "POST",
                                "url": {"raw": "http://127.0.0.1:9/things", "query": [{"key": text, "value": text}]},
                                "header": [{"key": text, "value": text}],
                                "body": {"mode": "formdata", "formdata": form},
                            },
                        }
                    ],
                }
            ],
        }
    )


def k6(text):
    word = json.dumps(text)
    return (
        f"import http from 'k6/http'\nimport {{ group, sleep }} from 'k6'\n"
        f"export const options = {{ thresholds: {{ [{word}]: ['p(95)<200'] }}, scenarios: {{ {word}: {{ executor: "
        f"'constant-vus', vus: 2, duration: '1s', exec: 'default' }} }} }}\n"
        f"export default function () {{ group({word}, () => {{ http.post('http://127.0.0.1:9/things', "
        f"JSON.stringify({{ name: {word} }}), {{ headers: {{ 'X-A': {word} }}, tags: {{ name: {word} }} }}) }})\n"
        f"other({word}) }}\n"
    )


def jmeter(text):
    word = "".join(f"&#{ord(c)};" for c in text if ord(c) >= 0x20 and ord(c) not in (0xFFFE, 0xFFFF) or c in "\t\n\r")
    arguments = (
        f'<stringProp name="Argument.name">{word}</stringProp><stringProp name="Argument.value">{word}</stringProp>'
    )
    sampler = "".join(
        f'<stringProp name="HTTPSampler.{name}">{value}</stringProp>'
        for name, value in (("domain", "127.0.0.1"), ("path", "/things"), ("method", "GET"))
    )
    return (
        f'<jmeterTestPlan><hashTree><TestPlan testname="{word}"/><hashTree><ThreadGroup testname="{word}"/><hashTree>'
        f'<CSVDataSet testname="{word}"><stringProp name="filename">{word}</stringProp>'
        f'<stringProp name="variableNames">{word},b</stringProp></CSVDataSet><hashTree/>'
        f'<HTTPSamplerProxy testname="{word}">{sampler}<elementProp name="HTTPsampler.Arguments">'
        f'<collectionProp name="Arguments.arguments"><elementProp name="a">{arguments}</elementProp></collectionProp>'
        "</elementProp></HTTPSamplerProxy><hashTree/></hashTree></hashTree></hashTree></jmeterTestPlan>"
    )


def arazzo(text):
    step = {
        "stepId": text,
        "description": text,
        "operationId": "add",
        "requestBody": {"contentType": "application/json", "payload": {"name": "$inputs.a", text: text}},
        "successCriteria": [{"condition": text}],
        "outputs": {text: text},
    }
    return json.dumps(
        {
            "arazzo": "1.0.1",
            "info": {"title": text, "version": "1"},
            "sourceDescriptions": [{"name": text, "url": text, "type": "openapi"}],
            "workflows": [
                {
                    "workflowId": text,
                    "summary": text,
                    "inputs": {"properties": {"a": {"default": text}}},
                    "steps": [step],
                }
            ],
        }
    )
