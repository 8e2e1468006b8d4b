import { DEPRECATED_TYPES } from '../../src/http/rest/openapi/operation.ts'

type Json = Readonly<Record<string, unknown>>

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const LIMITS_DOWN = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']
const LIMITS_UP = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
/** Keywords of a schema. If one is added or changed, the schema allows fewer values. */
const SHAPES = ['pattern', 'format']

/**
 * Returns the changes between two documents of `createOpenApiDocument` that would break a correct client, by operation.
 * Decision 005 says why this is not a library.
 */
export function findBreaks(before: object, after: object): string[] {
  const now = listOperations(after)
  return [...listOperations(before)].flatMap(([name, operation]) => {
    const next = now.get(name)
    const breaks = next === undefined ? ['removed'] : compareOperations(operation, next)
    return breaks.map((text) => `${name}: ${text}`)
  })
}

function listOperations(document: object): Map<string, Json> {
  const { paths: own, security } = document as { paths: object; security?: unknown }
  const paths = dereference(document, own) as Record<string, Json>
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      METHODS.filter((method) => method in methods).map((method): [string, Json] => [
        `${method.toUpperCase()} ${path}`,
        { security, ...Object(methods[method]) },
      ]),
    ),
  )
}

function compareOperations(before: Json, after: Json): string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`operationId ${before.operationId} renamed`]),
    ...compareAccess(before, after),
    ...compareParameters(toParameters(before), toParameters(after)),
    ...compareBodies(Object(before.requestBody), Object(after.requestBody)),
    ...compareAnswers(Object(before.responses), Object(after.responses), toList(after[DEPRECATED_TYPES])),
    ...compareErrorCodes(Object(before['x-error-codes']), Object(after['x-error-codes'])),
  ]
}

function compareErrorCodes(before: Json, after: Json): string[] {
  const codes = Object.values(after).flatMap(toList)
  const lost = Object.values(before)
    .flatMap(toList)
    .filter((code) => !codes.includes(code))
  return lost.map((code) => `error code ${code} removed`)
}

function compareAccess(before: Json, after: Json): string[] {
  const ways = ({ security, 'x-api-key-scopes': scopes = [] }: Json) =>
    (security as Json[]).length === 0 ? null : [...(security as Json[]).flatMap(Object.keys), ...(scopes as string[])]
  const [old, now] = [ways(before), ways(after)]
  if (now === null) return []
  if (old === null) return ['open to guests no more']
  return old.filter((way) => !now.includes(way)).map((way) => `not open to ${way} any more`)
}

function toParameters({ parameters = [] }: Json): Map<string, Json> {
  return new Map((parameters as Json[]).map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]))
}

function compareParameters(before: Map<string, Json>, after: Map<string, Json>): string[] {
  const removed = [...before].flatMap(([name, parameter]) => {
    const now = after.get(name)
    if (now === undefined) return [`${name} removed`]
    const faults = compareInputs(Object(parameter.schema), Object(now.schema), name)
    return now.required && !parameter.required ? [`${name} is required now`, ...faults] : faults
  })
  const demanded = [...after].filter(([name, parameter]) => !before.has(name) && parameter.required)
  return [...removed, ...demanded.map(([name]) => `${name} is new and required`)]
}

function compareBodies(before: Json, after: Json): string[] {
  const isDemanded = after.required === true && before.required !== true
  const faults = compareInputs(toSchema(before), toSchema(after), 'body')
  return [...(isDemanded ? ['a body is required now'] : []), ...faults]
}

/** Returns the schema of a request's or response's body. */
function toSchema({ content }: Json): Json {
  return Object(Object(Object(content)['application/json']).schema)
}

/** Finds changes of an input that reject values which were valid before. */
function compareInputs(before: Json, after: Json, place: string): string[] {
  const required = toList(after.required).filter((name) => !toList(before.required).includes(name))
  const tighter = [
    ...LIMITS_DOWN.filter((limit) => isNumber(after[limit]) && !(Number(before[limit]) <= Number(after[limit]))),
    ...LIMITS_UP.filter((limit) => isNumber(after[limit]) && !(Number(before[limit]) >= Number(after[limit]))),
    ...SHAPES.filter((shape) => after[shape] !== undefined && after[shape] !== before[shape]),
    ...(isNumber(after.multipleOf) && !isMultiple(before.multipleOf, after.multipleOf) ? ['multipleOf'] : []),
  ]
  return [
    ...required.map((name) => `${place}.${name} is required now`),
    ...tighter.map((limit) => `${place} has a narrower ${limit}`),
    ...findLost(toTypes(before), toTypes(after)).map((type) => `${place} is no ${type} any more`),
    ...findLostValues(before, after).map((value) => `${place} may not be ${value} any more`),
    ...compareParts(before, after, { place, compare: compareInputs }),
  ]
}

function compareAnswers(before: Json, after: Json, undescribed: readonly string[]): string[] {
  return Object.entries(before).flatMap(([status, response]) => {
    const now = after[status]
    if (now === undefined) return status < '4' ? [`status ${status} removed`] : []
    const content: Json = Object(Object(response).content)
    return Object.entries(content).flatMap(([type, media]) => {
      const next = Object(Object(now).content)[type]
      if (next === undefined) return undescribed.includes(type) ? [] : [`${status} is no ${type} any more`]
      return compareOutputs(Object(Object(media).schema), Object(next.schema), `${status}`)
    })
  })
}

/** Finds changes of an output that break clients: missing properties, and values outside the earlier schema. */
function compareOutputs(before: Json, after: Json, place: string): string[] {
  const missing = toList(before.required).filter(
    (name) => name in Object(after.properties) && !toList(after.required).includes(name),
  )
  return [
    ...missing.map((name) => `${place}.${name} may be missing now`),
    ...findLost(toTypes(after), toTypes(before)).map((type) => `${place} may be ${type} now`),
    ...findLostValues(after, before).map((value) => `${place} may be ${value} now`),
    ...compareParts(before, after, { place, compare: compareOutputs }),
  ]
}

interface Comparison {
  readonly place: string
  readonly compare: (before: Json, after: Json, place: string) => string[]
}

function compareParts(before: Json, after: Json, { place, compare }: Comparison): string[] {
  const now: Json = Object(after.properties)
  const properties = Object.entries(Object(before.properties) as Json).flatMap(([name, schema]) => {
    if (!(name in now)) return [`${place}.${name} removed`]
    return compare(Object(schema), Object(now[name]), `${place}.${name}`)
  })
  const items = before.items && after.items ? compare(Object(before.items), Object(after.items), `${place}[]`) : []
  const [old, next] = [before.anyOf ?? before.oneOf, after.anyOf ?? after.oneOf].map(
    (list) => list as Json[] | undefined,
  )
  if (old?.length !== next?.length) return [...properties, ...items, `${place} has other alternatives`]
  const unions = (old ?? []).flatMap((schema, i) => compare(schema, next?.[i] ?? {}, place))
  return [...properties, ...items, ...unions]
}

function toTypes({ type }: Json): string[] | null {
  return type === undefined ? null : toList(Array.isArray(type) ? type : [type])
}

/** Returns the types of `before` that are missing from `after`. `number` includes `integer`. */
function findLost(before: string[] | null, after: string[] | null): string[] {
  if (before === null || after === null) return []
  return before.filter((type) => !after.includes(type) && !(type === 'integer' && after.includes('number')))
}

function findLostValues(before: Json, after: Json): string[] {
  const [old, now] = [toValues(before), toValues(after)]
  if (now === null) return []
  return old === null ? ['anything else'] : old.filter((value) => !now.includes(value))
}

function toValues({ enum: values, const: only }: Json): string[] | null {
  if (only !== undefined) return [String(only)]
  return values === undefined ? null : toList(values)
}

function toList(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : []
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isMultiple(value: unknown, of: number): boolean {
  return isNumber(value) && Number.isInteger(value / of)
}

/**
 * Replaces every reference to a component in the document, or in one part of it, by a copy of the component. Texts
 * beside the reference stay. A component must not contain itself.
 */
export function dereference(document: object, part = document): unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as Readonly<Record<string, unknown>>
    const parts = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, resolve(part)]))
    return typeof $ref === 'string' ? { ...Object(resolve(findComponent(document, $ref))), ...parts } : parts
  }
  return resolve(part)
}

function findComponent(document: object, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => Object(value)[name], document)
}
