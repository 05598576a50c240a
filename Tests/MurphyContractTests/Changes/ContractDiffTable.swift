/// The rules of oasdiff (its list of checks, docs/BREAKING-CHANGES.md, NULLABILITY.md and DEPRECATION.md), one case each.
///
/// Columns: oasdiff's rule in words; the part (see `Case.document`); the part before and after; oasdiff's level: `E`
/// breaking, `W` possibly breaking, `I` compatible, `-` no rule. Then murphy's level where it differs on purpose, and why.
let contractDiffTable = #"""
  path removed without deprecation | paths | /a: {get: {responses: {}}} | /b: {get: {responses: {}}} | E
  path removed with deprecation | paths | /a: {get: {deprecated: true, responses: {}}} | /b: {get: {responses: {}}} | I
  path removed before its sunset | paths | /a: {get: {deprecated: true, x-sunset: "2999-01-01", responses: {}}} | /b: {get: {responses: {}}} | E
  path removed after its sunset | paths | /a: {get: {deprecated: true, x-sunset: "2020-01-01", responses: {}}} | /b: {get: {responses: {}}} | I
  path removed, sunset cannot be parsed | paths | /a: {get: {deprecated: true, x-sunset: soon, responses: {}}} | /b: {get: {responses: {}}} | E
  operation removed without deprecation | paths | /a: {get: {responses: {}}, put: {responses: {}}} | /a: {get: {responses: {}}} | E
  operation removed with deprecation | paths | /a: {get: {responses: {}}, put: {deprecated: true, responses: {}}} | /a: {get: {responses: {}}} | I
  operation removed before its sunset | paths | /a: {get: {responses: {}}, put: {deprecated: true, x-sunset: "2999-01-01", responses: {}}} | /a: {get: {responses: {}}} | E
  endpoint added | paths | /a: {get: {responses: {}}} | /a: {get: {responses: {}}, put: {responses: {}}} | I
  endpoint deprecated | op | {} | {deprecated: true} | I
  endpoint deprecated with sunset | op | {} | {deprecated: true, x-sunset: "2999-01-01"} | I
  endpoint deprecated, sunset cannot be parsed | op | {} | {deprecated: true, x-sunset: soon} | E
  endpoint reactivated | op | {deprecated: true} | {} | I
  sunset deleted | op | {deprecated: true, x-sunset: "2999-01-01"} | {deprecated: true} | E
  sunset changed to an earlier date | op | {deprecated: true, x-sunset: "2999-01-01"} | {deprecated: true, x-sunset: "2030-01-01"} | E
  operation id removed | op | {operationId: a} | {} | I
  operation id added | op | {} | {operationId: a} | I
  path parameter renamed | paths | "/a/{x}: {get: {parameters: [{name: x, in: path, required: true, schema: {type: string}}], responses: {}}}" | "/a/{y}: {get: {parameters: [{name: y, in: path, required: true, schema: {type: string}}], responses: {}}}" | I
  security of the API added | op | {} | {security: [{key: []}]} | I | E: a client without credentials is rejected
  security of the API removed | op | {security: [{key: []}]} | {} | I
  security alternative added | op | {security: [{key: []}]} | {security: [{key: []}, {oauth: []}]} | I
  security alternative removed | op | {security: [{key: []}, {oauth: []}]} | {security: [{key: []}]} | I | E: clients with the other credentials are rejected
  security scope added | op | {security: [{oauth: []}]} | {security: [{oauth: [read]}]} | I | E: tokens without the scope are rejected
  security scope removed | op | {security: [{oauth: [read]}]} | {security: [{oauth: []}]} | I
  server changed | root | servers: [{url: "https://a/v1"}] | servers: [{url: "https://a/v2"}] | - | W: clients of the old URL may fail
  required request body added | op | {} | {requestBody: {required: true, content: {application/json: {schema: {type: string}}}}} | E
  optional request body added | op | {} | {requestBody: {content: {application/json: {schema: {type: string}}}}} | I
  request body removed | op | {requestBody: {content: {application/json: {schema: {type: string}}}}} | {} | E
  request body became required | op | {requestBody: {content: {a/b: {}}}} | {requestBody: {required: true, content: {a/b: {}}}} | E
  request body became optional | op | {requestBody: {required: true, content: {a/b: {}}}} | {requestBody: {content: {a/b: {}}}} | I
  request media type added | op | {requestBody: {content: {a/b: {}}}} | {requestBody: {content: {a/b: {}, a/c: {}}}} | I
  request media type removed | op | {requestBody: {content: {a/b: {}, a/c: {}}}} | {requestBody: {content: {a/b: {}}}} | E
  request media type schema added | op | {requestBody: {content: {application/json: {}}}} | {requestBody: {content: {application/json: {schema: {type: string}}}}} | E
  request media type schema removed | op | {requestBody: {content: {application/json: {schema: {type: string}}}}} | {requestBody: {content: {application/json: {}}}} | I
  response media type schema added | op | {responses: {"200": {description: x, content: {application/json: {}}}}} | {responses: {"200": {description: x, content: {application/json: {schema: {type: string}}}}}} | I
  response media type schema removed | op | {responses: {"200": {description: x, content: {application/json: {schema: {type: string}}}}}} | {responses: {"200": {description: x, content: {application/json: {}}}}} | W
  response media type added | op | {responses: {"200": {description: x, content: {a/b: {}}}}} | {responses: {"200": {description: x, content: {a/b: {}, a/c: {}}}}} | I
  response media type removed | op | {responses: {"200": {description: x, content: {a/b: {}, a/c: {}}}}} | {responses: {"200": {description: x, content: {a/b: {}}}}} | E
  response media type name generalized | op | {responses: {"200": {description: x, content: {application/json: {}}}}} | {responses: {"200": {description: x, content: {application/*: {}}}}} | E
  response media type name specialized | op | {responses: {"200": {description: x, content: {application/*: {}}}}} | {responses: {"200": {description: x, content: {application/json: {}}}}} | I
  response success status removed | op | {responses: {"200": {description: x}, "201": {description: x}}} | {responses: {"200": {description: x}}} | E
  response success status added | op | {responses: {"200": {description: x}}} | {responses: {"200": {description: x}, "201": {description: x}}} | I
  response non-success status removed | op | {responses: {"200": {description: x}, "404": {description: x}}} | {responses: {"200": {description: x}}} | I
  response non-success status added | op | {responses: {"200": {description: x}}} | {responses: {"200": {description: x}, "404": {description: x}}} | I
  required response header removed | headers | {X: {required: true, schema: {type: string}}} | {} | E
  optional response header removed | headers | {X: {schema: {type: string}}} | {} | W
  response header added | headers | {} | {X: {schema: {type: string}}} | I
  response header became optional | headers | {X: {required: true, schema: {type: string}}} | {X: {schema: {type: string}}} | E
  response header type changed | headers | {X: {schema: {type: boolean}}} | {X: {schema: {type: integer}}} | E
  response header type generalized | headers | {X: {schema: {type: integer}}} | {X: {schema: {type: number}}} | E
  response header type specialized | headers | {X: {schema: {type: number}}} | {X: {schema: {type: integer}}} | I
  response header type compatible | headers | {X: {schema: {type: string}}} | {X: {schema: {type: integer}}} | I
  response header became nullable | headers | {X: {schema: {type: string}}} | {X: {schema: {type: [string, "null"]}}} | E
  new required request parameter | parameters | [] | [{name: q, in: query, required: true, schema: {type: string}}] | E
  new required request parameter with default | parameters | [] | [{name: q, in: query, required: true, schema: {type: string, default: x}}] | E
  new optional request parameter | parameters | [] | [{name: q, in: query, schema: {type: string}}] | I
  new required header parameter | parameters | [] | [{name: X-A, in: header, required: true, schema: {type: string}}] | E
  new request path parameter | paths | "/a: {get: {responses: {}}}" | "/a/{x}: {get: {parameters: [{name: x, in: path, required: true, schema: {type: string}}], responses: {}}}" | E
  request parameter removed | parameters | [{name: q, in: query, schema: {type: string}}] | [] | W
  request parameter removed with deprecation | parameters | [{name: q, in: query, deprecated: true, schema: {type: string}}] | [] | I
  request parameter removed before its sunset | parameters | [{name: q, in: query, deprecated: true, x-sunset: "2999-01-01", schema: {type: string}}] | [] | E
  request parameter deprecated | q | {schema: {type: string}} | {deprecated: true, schema: {type: string}} | I
  request parameter reactivated | q | {deprecated: true, schema: {type: string}} | {schema: {type: string}} | I
  request parameter sunset deleted | q | {deprecated: true, x-sunset: "2999-01-01", schema: {type: string}} | {deprecated: true, schema: {type: string}} | E
  request parameter became required | q | {schema: {type: string}} | {required: true, schema: {type: string}} | E
  request parameter became optional | q | {required: true, schema: {type: string}} | {schema: {type: string}} | I
  parameter location changed | parameters | [{name: q, in: query, schema: {type: string}}] | [{name: q, in: header, schema: {type: string}}] | W | E: the API does not find the value any more
  parameter style changed | q | {schema: {type: array, items: {type: string}}} | {explode: false, schema: {type: array, items: {type: string}}} | - | E: requests have another form
  request parameter default changed | q | {schema: {type: string, default: a}} | {schema: {type: string, default: b}} | E
  request parameter default added | q | {schema: {type: string}} | {schema: {type: string, default: b}} | E
  request parameter default removed | q | {schema: {type: string, default: a}} | {schema: {type: string}} | E
  request parameter became enum | q | {schema: {type: string}} | {schema: {type: string, enum: [a]}} | E
  request parameter enum value removed | q | {schema: {type: string, enum: [a, b]}} | {schema: {type: string, enum: [a]}} | E
  request parameter enum value added | q | {schema: {type: string, enum: [a]}} | {schema: {type: string, enum: [a, b]}} | I
  request parameter extensible enum value removed | q | {schema: {type: string, x-extensible-enum: [a, b]}} | {schema: {type: string, x-extensible-enum: [a]}} | E
  request parameter became nullable | q | {schema: {type: string}} | {schema: {type: [string, "null"]}} | I
  request parameter became not nullable | q | {schema: {type: [string, "null"]}} | {schema: {type: string}} | E
  request parameter type changed | q | {schema: {type: integer}} | {schema: {type: boolean}} | E
  request parameter type specialized | q | {schema: {type: string}} | {schema: {type: integer}} | E
  request parameter type generalized | q | {schema: {type: integer}} | {schema: {type: string}} | I
  request parameter type generalized to number | q | {schema: {type: integer}} | {schema: {type: number}} | I
  request parameter property type changed | q | {style: deepObject, explode: true, schema: {type: object, properties: {a: {type: integer}}}} | {style: deepObject, explode: true, schema: {type: object, properties: {a: {type: boolean}}}} | W
  request parameter property type specialized | q | {style: deepObject, explode: true, schema: {type: object, properties: {a: {type: number}}}} | {style: deepObject, explode: true, schema: {type: object, properties: {a: {type: integer}}}} | E
  request parameter max items decreased | q | {schema: {type: array, maxItems: 5}} | {schema: {type: array, maxItems: 4}} | E
  request parameter max items increased | q | {schema: {type: array, maxItems: 5}} | {schema: {type: array, maxItems: 6}} | I
  request parameter min items set | q | {schema: {type: array}} | {schema: {type: array, minItems: 1}} | W
  request parameter min items increased | q | {schema: {type: array, minItems: 1}} | {schema: {type: array, minItems: 2}} | E
  request parameter max length set | q | {schema: {type: string}} | {schema: {type: string, maxLength: 4}} | W
  request parameter max length decreased | q | {schema: {type: string, maxLength: 5}} | {schema: {type: string, maxLength: 4}} | E
  request parameter min length increased | q | {schema: {type: string}} | {schema: {type: string, minLength: 1}} | E
  request parameter max set | q | {schema: {type: integer}} | {schema: {type: integer, maximum: 4}} | W
  request parameter max decreased | q | {schema: {type: integer, maximum: 5}} | {schema: {type: integer, maximum: 4}} | E
  request parameter max increased | q | {schema: {type: integer, maximum: 5}} | {schema: {type: integer, maximum: 6}} | I
  request parameter exclusive max set | q | {schema: {type: integer}} | {schema: {type: integer, exclusiveMaximum: 4}} | W
  request parameter min increased | q | {schema: {type: integer, minimum: 1}} | {schema: {type: integer, minimum: 2}} | E
  request parameter min decreased | q | {schema: {type: integer, minimum: 2}} | {schema: {type: integer, minimum: 1}} | I
  request parameter pattern added | q | {schema: {type: string}} | {schema: {type: string, pattern: ^a}} | E
  request parameter pattern removed | q | {schema: {type: string, pattern: ^a}} | {schema: {type: string}} | I
  request parameter pattern changed | q | {schema: {type: string, pattern: ^a}} | {schema: {type: string, pattern: ^b}} | W
  request parameter pattern generalized | q | {schema: {type: string, pattern: ^a}} | {schema: {type: string, pattern: ".*"}} | I
  request body became enum | request | {type: string} | {type: string, enum: [a]} | E
  request body enum value removed | request | {type: string, enum: [a, b]} | {type: string, enum: [a]} | E
  request body type changed | request | {type: string} | {type: object} | E
  request body type generalized | request | {type: integer} | {type: number} | I
  request body list of types widened | request | {type: [string, integer]} | {type: [string, integer, boolean]} | I
  request body list of types narrowed | request | {type: [string, integer]} | {type: [string]} | E
  request body became not nullable | request | {type: [string, "null"]} | {type: string} | E
  request body wrapped in oneOf | request | {type: object, properties: {a: {}}} | {oneOf: [{type: object, properties: {a: {}}}, {type: string}]} | E
  request property became nullable by oneOf | request.p | {$ref: "#/components/schemas/S"} | {oneOf: [{type: "null"}, {$ref: "#/components/schemas/S"}]} | I
  request property became not nullable by oneOf | request.p | {oneOf: [{type: "null"}, {$ref: "#/components/schemas/S"}]} | {$ref: "#/components/schemas/S"} | E
  request body oneOf added | request | {oneOf: [{type: string}, {type: integer}]} | {oneOf: [{type: string}, {type: integer}, {type: boolean}]} | I
  request body oneOf removed | request | {oneOf: [{type: string}, {type: integer}]} | {oneOf: [{type: string}]} | E
  request body anyOf added | request | {anyOf: [{type: string}]} | {anyOf: [{type: string}, {type: integer}]} | I
  request property anyOf removed | request.p | {anyOf: [{type: string}, {type: integer}]} | {anyOf: [{type: string}]} | E
  request body allOf added | request | {allOf: [{type: object}]} | {allOf: [{type: object}, {required: [a]}]} | E
  request body allOf removed | request | {allOf: [{type: object}, {properties: {a: {type: string}}}]} | {allOf: [{type: object}]} | W
  request body allOf added, annotations only | request | {allOf: [{type: object}]} | {allOf: [{type: object}, {description: x}]} | I
  request body default changed | request.p | {type: string, default: a} | {type: string, default: b} | I
  request property const added | request.p | {type: string} | {type: string, const: a} | E
  request property const removed | request.p | {type: string, const: a} | {type: string} | I
  request property const changed | request.p | {const: a} | {const: b} | E
  request property enum value added | request.p | {enum: [a]} | {enum: [a, b]} | I
  request property enum value removed | request.p | {enum: [a, b]} | {enum: [a]} | E
  request read-only property enum value removed | request.p | {readOnly: true, enum: [a, b]} | {readOnly: true, enum: [a]} | I
  request property extensible enum value removed | request.p | {type: string, x-extensible-enum: [a, b]} | {type: string, x-extensible-enum: [a]} | E
  request property max set | request.p | {type: integer} | {type: integer, maximum: 5} | W
  request property max decreased | request.p | {type: integer, maximum: 5} | {type: integer, maximum: 4} | E
  request property exclusive max decreased | request.p | {type: integer, exclusiveMaximum: 5} | {type: integer, exclusiveMaximum: 4} | E
  request property exclusive min set | request.p | {type: integer} | {type: integer, exclusiveMinimum: 4} | W
  request property max length set | request.p | {type: string} | {type: string, maxLength: 5} | W
  request property max length decreased | request.p | {type: string, maxLength: 5} | {type: string, maxLength: 4} | E
  request property min length increased | request.p | {type: string, minLength: 1} | {type: string, minLength: 2} | E
  request property min items increased | request.p | {type: array, minItems: 1} | {type: array, minItems: 2} | E
  request property pattern added | request.p | {type: string} | {type: string, pattern: ^a} | E
  request property pattern changed | request.p | {type: string, pattern: ^a} | {type: string, pattern: ^b} | W
  request property format changed | request.p | {type: string, format: date} | {type: string, format: uuid} | E
  request property format generalized | request.p | {type: integer, format: int32} | {type: integer, format: int64} | I
  request property format removed | request.p | {type: string, format: uuid} | {type: string} | I
  request property type changed | request.p | {type: integer} | {type: string} | E
  request property type generalized | request.p | {type: integer} | {} | I
  request property type constraint added | request.p | {} | {type: integer} | E
  request property became required | request | {type: object, properties: {a: {}}} | {type: object, properties: {a: {}}, required: [a]} | E
  request property became required with default | request | {type: object, properties: {a: {}}} | {type: object, properties: {a: {default: 1}}, required: [a]} | E
  request property became optional | request | {type: object, properties: {a: {}}, required: [a]} | {type: object, properties: {a: {}}} | I
  new required request property | request | {type: object} | {type: object, properties: {a: {}}, required: [a]} | E
  new required request property with default | request | {type: object} | {type: object, properties: {a: {default: 1}}, required: [a]} | E
  new optional request property | request | {type: object} | {type: object, properties: {a: {}}} | I
  new required read-only request property | request | {type: object} | {type: object, properties: {a: {readOnly: true}}, required: [a]} | I
  request property removed | request | {type: object, properties: {a: {}}} | {type: object} | W
  request property removed from a closed object | request | {type: object, properties: {a: {}}} | {type: object, additionalProperties: false} | W | E: the new schema rejects it
  request property became read-only | request.p | {type: string} | {type: string, readOnly: true} | I
  request property became write-only | request.p | {type: string} | {type: string, writeOnly: true} | I
  request discriminator added | request | {oneOf: [{type: object}]} | {oneOf: [{type: object}], discriminator: {propertyName: a}} | I
  request discriminator mapping deleted | request | {oneOf: [{type: object}], discriminator: {propertyName: a, mapping: {x: S, y: S}}} | {oneOf: [{type: object}], discriminator: {propertyName: a, mapping: {x: S}}} | I | W: the API may not recognise the value any more
  request prefix items removed | request | {type: array, prefixItems: [{}, {}]} | {type: array, prefixItems: [{}]} | E
  request prefix items added | request | {type: array, prefixItems: [{}]} | {type: array, prefixItems: [{}, {type: string}]} | I | W: values of the new position are restricted
  request if, then added | request | {type: object} | {type: object, if: {required: [a]}, then: {required: [b]}} | E
  request if, then removed | request | {type: object, if: {required: [a]}, then: {required: [b]}} | {type: object} | I
  request contains added | request | {type: array} | {type: array, contains: {type: string}} | E
  request min contains increased | request | {type: array, contains: {}} | {type: array, contains: {}, minContains: 2} | E | W: a limit that was not stated before
  request dependent required added | request | {type: object} | {type: object, dependentRequired: {a: [b]}} | E
  request dependent schema added | request | {type: object} | {type: object, dependentSchemas: {a: {required: [b]}}} | E
  request pattern property added | request | {type: object} | {type: object, patternProperties: {^x: {type: string}}} | E
  request property names removed | request | {type: object, propertyNames: {maxLength: 3}} | {type: object} | I
  request unevaluated properties added | request | {type: object} | {type: object, unevaluatedProperties: false} | E
  request unevaluated items removed | request | {type: array, unevaluatedItems: false} | {type: array} | I
  request content schema added | request.p | {type: string} | {type: string, contentSchema: {type: object}} | E
  request content media type changed | request.p | {type: string, contentMediaType: a/b} | {type: string, contentMediaType: a/c} | E
  additional properties of a request closed | request | {type: object} | {type: object, additionalProperties: false} | - | E: the API rejects other fields
  multiple-of of a request tightened | request.p | {type: integer, multipleOf: 2} | {type: integer, multipleOf: 4} | - | E: fewer values are valid
  multiple-of of a request loosened | request.p | {type: integer, multipleOf: 4} | {type: integer, multipleOf: 2} | - | I: more values are valid
  unique items of a request set | request.p | {type: array} | {type: array, uniqueItems: true} | - | E: fewer values are valid
  example changed | request.p | {type: string, example: a} | {type: string, example: b} | I
  response body type changed | response | {type: string} | {type: object} | E
  response property type generalized | response.p | {type: integer} | {type: number} | E
  response property type specialized | response.p | {type: number} | {type: integer} | I
  response property type constraint removed | response.p | {type: string} | {} | E
  response list of types widened | response | {type: [string]} | {type: [string, integer]} | E
  response list of types narrowed | response | {type: [string, integer]} | {type: [string]} | I
  response property format generalized | response.p | {type: integer, format: int32} | {type: integer, format: int64} | E
  response property became nullable | response.p | {type: string} | {type: [string, "null"]} | E
  response body became nullable | response | {type: string} | {type: [string, "null"]} | E
  response property became nullable by oneOf | response.p | {$ref: "#/components/schemas/S"} | {oneOf: [{type: "null"}, {$ref: "#/components/schemas/S"}]} | E
  response property became not nullable | response.p | {type: [string, "null"]} | {type: string} | I
  response property became optional | response | {type: object, properties: {a: {}}, required: [a]} | {type: object, properties: {a: {}}} | E
  response property became required | response | {type: object, properties: {a: {}}} | {type: object, properties: {a: {}}, required: [a]} | I
  response write-only property became optional | response | {type: object, properties: {a: {writeOnly: true}}, required: [a]} | {type: object, properties: {a: {writeOnly: true}}} | I
  response required property removed | response | {type: object, properties: {a: {}}, required: [a]} | {type: object} | E
  response optional property removed | response | {type: object, properties: {a: {}}} | {type: object} | W
  response write-only property removed | response | {type: object, properties: {a: {writeOnly: true}}} | {type: object} | I
  response property added | response | {type: object} | {type: object, properties: {a: {}}, required: [a]} | I
  response required property became not write-only | response | {type: object, properties: {a: {writeOnly: true}}, required: [a]} | {type: object, properties: {a: {}}, required: [a]} | W
  response optional property became write-only | response.p | {type: string} | {type: string, writeOnly: true} | I | W: responses do not contain it any more
  response optional property became read-only | response.p | {type: string} | {type: string, readOnly: true} | I
  response property enum value added | response.p | {enum: [a]} | {enum: [a, b]} | W
  response write-only property enum value added | response.p | {writeOnly: true, enum: [a]} | {writeOnly: true, enum: [a, b]} | I
  response property enum value removed | response.p | {enum: [a, b]} | {enum: [a]} | I
  response property enum removed | response.p | {type: string, enum: [a]} | {type: string} | - | W: as for a new value
  response property const added | response.p | {type: string} | {type: string, const: a} | I
  response property const removed | response.p | {type: string, const: a} | {type: string} | E
  response property const changed | response.p | {const: a} | {const: b} | E
  response property max increased | response.p | {type: integer, maximum: 5} | {type: integer, maximum: 6} | E
  response property exclusive max increased | response.p | {type: integer, exclusiveMaximum: 5} | {type: integer, exclusiveMaximum: 6} | E
  response property max length increased | response.p | {type: string, maxLength: 5} | {type: string, maxLength: 6} | E
  response property max length unset | response.p | {type: string, maxLength: 5} | {type: string} | E
  response property min decreased | response.p | {type: integer, minimum: 5} | {type: integer, minimum: 4} | E
  response property min items decreased | response.p | {type: array, minItems: 2} | {type: array, minItems: 1} | E
  response property min items unset | response.p | {type: array, minItems: 2} | {type: array} | E
  response property min length decreased | response.p | {type: string, minLength: 2} | {type: string, minLength: 1} | E
  response property max length decreased | response.p | {type: string, maxLength: 6} | {type: string, maxLength: 5} | I
  response property pattern added | response.p | {type: string} | {type: string, pattern: ^a} | I
  response property pattern changed | response.p | {type: string, pattern: ^a} | {type: string, pattern: ^b} | I | W: values that the old pattern excluded are possible
  response property pattern removed | response.p | {type: string, pattern: ^a} | {type: string} | I | W: values that the old pattern excluded are possible
  response body oneOf added | response | {oneOf: [{type: string}]} | {oneOf: [{type: string}, {type: integer}]} | E
  response property oneOf removed | response.p | {oneOf: [{type: string}, {type: integer}]} | {oneOf: [{type: string}]} | I
  response body anyOf added | response | {anyOf: [{type: string}]} | {anyOf: [{type: string}, {type: integer}]} | I | E: as for oneOf, the response may have a new form
  response body anyOf removed | response | {anyOf: [{type: string}, {type: integer}]} | {anyOf: [{type: string}]} | I
  response body allOf added | response | {allOf: [{type: object}]} | {allOf: [{type: object}, {required: [a]}]} | I
  response body allOf removed | response | {allOf: [{type: object}, {properties: {a: {}}, required: [a]}]} | {allOf: [{type: object}]} | I | E: the required property is removed with it
  response body wrapped in oneOf | response | {type: object, properties: {a: {}}} | {oneOf: [{type: object, properties: {a: {}}}, {type: string}]} | E
  response default changed | response.p | {type: string, default: a} | {type: string, default: b} | I
  response property deprecated | response.p | {type: string} | {type: string, deprecated: true} | I
  response discriminator mapping deleted | response | {oneOf: [{type: object}], discriminator: {propertyName: a, mapping: {x: S, y: S}}} | {oneOf: [{type: object}], discriminator: {propertyName: a, mapping: {x: S}}} | I
  response discriminator property name changed | response | {oneOf: [{type: object}], discriminator: {propertyName: a}} | {oneOf: [{type: object}], discriminator: {propertyName: b}} | I | W: clients choose a type by it
  response prefix items added | response | {type: array, prefixItems: [{}]} | {type: array, prefixItems: [{}, {}]} | E
  response prefix items removed | response | {type: array, prefixItems: [{}, {}]} | {type: array, prefixItems: [{}]} | I | W: the position may have any value now
  response if, then removed | response | {type: object, if: {required: [a]}, then: {required: [b]}} | {type: object} | E
  response contains removed | response | {type: array, contains: {type: string}} | {type: array} | E
  response max contains increased | response | {type: array, contains: {}, maxContains: 2} | {type: array, contains: {}, maxContains: 3} | E
  response dependent required changed | response | {type: object, dependentRequired: {a: [b]}} | {type: object, dependentRequired: {a: [c]}} | E
  response pattern property removed | response | {type: object, patternProperties: {^x: {type: string}}} | {type: object} | E
  response property names removed | response | {type: object, propertyNames: {maxLength: 3}} | {type: object} | E
  response unevaluated properties removed | response | {type: object, unevaluatedProperties: false} | {type: object} | E
  response content schema removed | response.p | {type: string, contentSchema: {type: object}} | {type: string} | E
  response content encoding changed | response.p | {type: string, contentEncoding: base64} | {type: string, contentEncoding: base32} | E
  additional properties of a response opened | response | {type: object, additionalProperties: false} | {type: object} | - | W: clients may reject unknown fields
  items of a response changed | response | {type: array, items: {type: integer}} | {type: array, items: {type: string}} | E
  property of a map changed | response | {type: object, additionalProperties: {type: integer}} | {type: object, additionalProperties: {type: string}} | E
  condition changed | response | {type: object, if: {required: [a]}} | {type: object, if: {required: [b]}} | - | W: the conditions cannot be compared
  negation changed | request | {not: {type: string}} | {not: {type: integer}} | - | W: the negations cannot be compared
  """#
