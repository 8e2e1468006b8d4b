import { requestKey } from '@papermoon/contract/amounts'
import { type Example, getAcceptedScopes, type Procedure } from '@papermoon/contract/procedure'
import { findTag } from '@papermoon/contract/tags'
import { type ZodObject, z } from 'zod'
import { ANSWER_CHARACTERS_MAX } from '../../../security/proof-of-work/proof-of-work.ts'
import { getLimitRules, type LimitName, type LimitRule } from '../../../security/rate-limits.ts'
import { getBodySchema, KEY_FIELD, KEY_HEADER } from '../call.ts'
import { listExportPaths, type RestRoute } from '../routes.ts'
import { ROW_FORMATS } from '../streams/formats.ts'
import { type ComponentSchemas, type JsonSchema, toPascal } from './component-schemas.ts'
import { describeSuccessHeaders } from './headers.ts'
import { listOwnRefusals, type SharedResponses } from './refusals.ts'

/** Parameters that several operations share. */
export class SharedParameters {
  readonly #uses = new Map<string, { readonly parameter: Parameter; count: number }>()

  /** Counts one use of a parameter. Returns an object that stands for the parameter until `resolve` is called. */
  refer(parameter: Parameter): Parameter {
    const text = JSON.stringify(parameter)
    const use = this.#uses.get(text) ?? { parameter, count: 0 }
    use.count += 1
    this.#uses.set(text, use)
    return use.parameter
  }

  /**
   * Replaces those parameters that are used more than once with references. Returns the parameters that were replaced.
   */
  resolve(operations: Iterable<{ parameters?: unknown[] }>): Record<string, Parameter> {
    const components: Record<string, Parameter> = {}
    const references = new Map<unknown, { readonly $ref: string }>()
    for (const { parameter, count } of this.#uses.values()) {
      if (count < 2) continue
      const name = chooseName(parameter, components)
      components[name] = parameter
      references.set(parameter, { $ref: `#/components/parameters/${name}` })
    }
    for (const operation of operations) {
      if (operation.parameters === undefined) continue
      operation.parameters = operation.parameters.map((parameter) => references.get(parameter) ?? parameter)
    }
    return components
  }
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly deprecated?: true
  readonly required?: true
  readonly schema: JsonSchema
  readonly example?: unknown
}

const UNITS = [
  [86_400, 'h', 3_600],
  [3_600, 'h', 3_600],
  [60, 'min', 60],
  [0, 's', 1],
] as const

/**
 * Response types that still work, although the document does not describe them. The document leaves them out, because
 * generated clients expect one type.
 */
export const DEPRECATED_TYPES = 'x-deprecated-content'

const PROOF_HEADER = 'Proof-Of-Work'

const PROOF_HEADER_TEXT =
  'Solution of a 429’s puzzle: { challenge, solution: { counter, derivedKey } } as JSON in base64url.'

/** Components that all operations of a document share. */
export interface Components {
  readonly schemas: ComponentSchemas
  readonly responses: SharedResponses
  readonly parameters: SharedParameters
}

/** Describes a route's operation. The procedure checks calls. This description is not used for that. */
export function describeOperation(route: RestRoute, components: Components): Record<string, unknown> {
  const { schemas, responses } = components
  const { entry } = route
  const example = getExample(route)
  const { params, rest } = splitInput(entry.input, route.path)
  const parts = { ...components, example }
  const parameters = [
    ...describeParameters(params, 'path', parts),
    ...(route.method === 'GET' ? describeParameters(rest, 'query', parts) : []),
    ...describeParameters(toHeaderFields(route), 'header', parts),
  ]
  const codes = listOwnRefusals(route)
  return {
    operationId: route.operationId,
    ...describeRoute(route),
    ...(listExportPaths(route).length > 0 && { [DEPRECATED_TYPES]: Object.keys(ROW_FORMATS) }),
    tags: [findTag(route.procedure).name],
    ...(entry.deprecated && { deprecated: true }),
    ...toSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.method !== 'GET' && rest && { requestBody: describeBody(route, rest, { schemas, example }) }),
    responses: {
      ...(entry.status !== undefined &&
        entry.input !== null &&
        'dryRun' in entry.input.shape && { 200: describeSuccess(route, parts, 'The dry run succeeded.') }),
      [entry.status ?? 200]: describeSuccess(route, parts),
      ...responses.describe(route),
    },
    ...(codes.length > 0 && { 'x-error-codes': Object.fromEntries(codes) }),
  }
}

/** Returns the example of a route's procedure. Throws an error if the procedure has no example. */
export function getExample({ procedure, entry }: Pick<RestRoute, 'procedure' | 'entry'>): Example {
  if (entry.example === undefined) throw new Error(`${procedure} has no example in packages/contract`)
  return entry.example
}

/** Splits the input fields into those in the path and all others. */
export function splitInput(input: ZodObject | null, path: string): { params?: ZodObject; rest?: ZodObject } {
  if (input === null) return {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const fields = Object.entries(input.shape)
  const params = z.object(Object.fromEntries(fields.filter(([name]) => names.includes(name))))
  const rest = z.object(Object.fromEntries(fields.filter(([name]) => !names.includes(name))))
  return {
    ...(names.length > 0 && { params }),
    ...(Object.keys(rest.shape).length > 0 && { rest }),
  }
}

/** Returns the first sentence as the summary, and the other sentences as the description. */
function describeRoute({ path, procedure, summary: text, entry }: RestRoute) {
  const { deprecated } = entry
  const limits = describeLimits(entry)
  const [file] = listExportPaths({ path, procedure })
  const [, summary = text, rest] = /^(.*?)\.(?: (.*))?$/.exec(text) ?? []
  const description = [
    ...(deprecated
      ? [`Deprecated. ${deprecated.instead} This operation works at least until ${deprecated.sunset}.`]
      : []),
    ...(rest === undefined ? [] : [rest]),
    ...(file === undefined ? [] : [`To download all rows, use ${file}.`]),
    ...(limits === null ? [] : [limits]),
  ].join(' ')
  return { summary, ...(description !== '' && { description }) }
}

/** The default credentials: a session, or an API key with one of the scopes in `x-api-key-scopes`. */
export const DEFAULT_SECURITY = [{ session: [] }, { apiKey: [] }] as const

/**
 * Returns the credentials and the scopes that a route accepts. To call the route, an API key must have one of these
 * scopes.
 */
function toSecurity({ access, entry }: RestRoute) {
  if (access === 'anyone') return { security: [] }
  const scopes = getAcceptedScopes(entry)
  if (scopes.length === 0) return { security: [{ session: [] }] }
  // List the scopes of API keys in an extension, because lint rules allow scopes only for OAuth.
  return { 'x-api-key-scopes': scopes }
}

/** Returns those request headers of the route that are not standard. */
function toHeaderFields({ refusals, entry: { input } }: RestRoute): ZodObject {
  return z.object({
    ...(input !== null && KEY_FIELD in input.shape && { 'Idempotency-Key': requestKey.optional() }),
    ...(refusals.includes('PROOF_OF_WORK_NEEDED') && {
      [PROOF_HEADER]: z.string().max(ANSWER_CHARACTERS_MAX).optional().describe(PROOF_HEADER_TEXT),
    }),
  })
}

interface Parts extends Components {
  readonly example: Example
}

/** Describes an operation's parameters in one location, such as the query. */
export function describeParameters(
  fields: ZodObject | undefined,
  place: Parameter['in'],
  { schemas, parameters, example }: Parts,
): unknown[] {
  if (fields === undefined) return []
  const { input = {} } = example
  return Object.entries(fields.shape).map(([name, field]) => {
    const { description, deprecated, ...schema } = schemas.describe(field, 'input', toPascal(name))
    const key = name.toLowerCase() === KEY_HEADER ? KEY_FIELD : name
    return parameters.refer({
      name,
      in: place,
      ...(description !== undefined && { description: String(description) }),
      ...(deprecated === true && { deprecated }),
      ...((place === 'path' || !field.safeParse(undefined).success) && { required: true }),
      schema,
      ...(key in input && { example: input[key] }),
    })
  })
}

/**
 * Describes the request body. The body may be missing if no field is required. The example of the body leaves out
 * fields that are in the path or in a header.
 */
function describeBody(
  route: RestRoute,
  fields: ZodObject,
  { schemas, example }: Pick<Parts, 'schemas' | 'example'>,
): unknown {
  const name = `${toPascal(route.operationId)}Request`
  const given = Object.entries(example.input ?? {}).filter(([field]) => field in fields.shape && field !== KEY_FIELD)
  return {
    required: !fields.safeParse({}).success,
    content: {
      'application/json': {
        schema: schemas.describe(fields, 'input', name),
        example: Object.fromEntries(given),
      },
    },
  }
}

function describeSuccess(route: RestRoute, { schemas, example }: Parts, description = 'OK'): unknown {
  const schema = schemas.describe(getBodySchema(route), 'output', `${toPascal(route.operationId)}Answer`)
  const headers = describeSuccessHeaders(route.entry)
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { 'application/json': { schema, example: example.response } },
  }
}

/** Returns a sentence about the limit of this call alone; null if it has none. */
function describeLimits({ limit }: Pick<Procedure, 'limit'>): string | null {
  return limit === undefined ? null : `Limited to ${describeRules(limit)}.`
}

/** Returns a sentence about the limits that every call counts against. */
export function describeSharedLimits(): string {
  return `Reads (GET) are limited to ${describeRules('read')}, writes to ${describeRules('write')}. A large response counts as several calls. Some operations have an additional limit. A call above a limit gets 429. Try again after Retry-After seconds. The RateLimit-* headers describe the limit with the fewest calls left.`
}

function describeRules(name: LimitName): string {
  const { address, account } = getLimitRules(name)
  const parts = [
    ...(account ? [`${describeRule(account)} per player`] : []),
    ...(address ? [`${describeRule(address)} per IP address`] : []),
  ]
  return parts.join(' and ')
}

function describeRule({ calls, seconds }: LimitRule): string {
  const [, unit, size] = UNITS.find(([least]) => seconds >= least) ?? [0, 's', 1]
  return `${calls.toLocaleString('en')} calls in ${seconds / size} ${unit}`
}

/** Chooses the name `Id`, or `Id2` if another parameter already has this name. */
function chooseName({ name }: Parameter, taken: Readonly<Record<string, Parameter>>): string {
  const base = toPascal(name.replaceAll('-', ''))
  for (let number = 1; ; number++) {
    const chosen = number === 1 ? base : `${base}${number}`
    if (!(chosen in taken)) return chosen
  }
}
