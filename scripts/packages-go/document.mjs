const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const nameIn = (reference) => reference?.split('/').at(-1);
const pascalCase = (name) => name[0].toUpperCase() + name.slice(1);

/** Returns the OpenAPI document with the extensions that `templates/api.mustache` writes into each method. */
export function goDocument(openapi) {
  // Patterns would become struct tags for a validator that the package doesn't use.
  const document = JSON.parse(JSON.stringify(openapi, (key, value) => (key === 'pattern' ? undefined : value)));
  const { schemas } = document.components;
  for (const path of Object.values(document.paths))
    for (const method of HTTP_METHODS) if (path[method]?.operationId) extend(path[method], schemas);
  // The methods return the content of envelopes, so the envelopes need no types.
  for (const [name, { properties }] of Object.entries(schemas)) if (isEnvelope(properties)) delete schemas[name];
  return document;
}

const isEnvelope = (properties = {}) =>
  'data' in properties && Object.keys(properties).every((name) => name === 'data' || name === 'pagination');

function extend(operation, schemas) {
  const { parameters = [], requestBody, responses } = operation;
  for (const parameter of parameters) if (parameter.in === 'query') parameter['x-go-field'] = pascalCase(parameter.name);
  const bodyTypes = Object.keys(requestBody?.content ?? {});
  const [returns, send] = resultOf(responses, schemas);
  Object.assign(operation, {
    responses: { default: { description: 'Unused by the template.' } },
    'x-go-returns': returns,
    'x-go-send': send,
    ...(bodyTypes.length > 0 && bodyOf(bodyTypes, requestBody)),
    ...(parameters.some(({ $ref }) => nameIn($ref) === 'IdempotencyKey') && { 'x-go-idempotency-key': true }),
  });
}

function bodyOf(types, { content }) {
  const schema = content['application/json']?.schema;
  return schema ? { 'x-go-body': `*${nameIn(schema.$ref)}` } : { 'x-go-body': 'io.Reader', 'x-go-content-type': types[0] };
}

/** Returns the result type of a method, and the Go function that sends the request and returns this result. */
function resultOf(responses, schemas) {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))[1].content;
  if (!content) return ['error', 'done'];
  const name = nameIn(content['application/json']?.schema.$ref);
  if (!name) return ['(io.ReadCloser, error)', 'open'];
  const { properties } = schemas[name];
  if (!isEnvelope(properties)) return [`(*${name}, error)`, `resultOf[*${name}]`];
  const { data, pagination } = properties;
  if (pagination) {
    const item = nameIn(data.items.$ref);
    return [`*List[${item}]`, `newList[${item}]`];
  }
  const type = data.$ref ? `*${nameIn(data.$ref)}` : `[]${nameIn(data.items.$ref)}`;
  return [`(${type}, error)`, `dataOf[${type}]`];
}
