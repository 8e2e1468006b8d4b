import { eventStreamInput } from '@papermoon/contract/live'
import { getAcceptedScopes } from '@papermoon/contract/procedure'
import { findTag, listTags } from '@papermoon/contract/tags'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import { SESSION_COOKIE } from '../../calls/call-context.ts'
import { streamExamples } from '../asyncapi/mount.ts'
import { getBodySchema } from '../call.ts'
import { type RestRoute, restRoutes } from '../routes.ts'
import { ROW_FORMATS } from '../streams/formats.ts'
import { type Rows, rowStreams } from '../streams/row-streams.ts'
import { ComponentSchemas, type JsonSchema, mapValues } from './component-schemas.ts'
import { COMMON_HEADERS, headerComponents } from './headers.ts'
import {
  type Components,
  DEFAULT_SECURITY,
  describeOperation,
  describeParameters,
  describeSharedLimits,
  getExample,
  SharedParameters,
  splitInput,
} from './operation.ts'
import { PROPERTY_WORDS } from './property-words.ts'
import { COMMON_REFUSALS, problem, SharedResponses } from './refusals.ts'

export const EVENTS_PATH = '/api/events'

const STREAM_DESCRIPTION =
  'The stream begins now or after a cursor, and never ends. `event` is one of `types`, gap (events are missing) or live (all past events were sent). `data` is JSON. To resume, send the last `id` as `after`. The [AsyncAPI document](/api/asyncapi.json) has the schema and an example of each event.'

const BODY = 'Events as defined in WHATWG HTML 9.2. A comment every 15 seconds keeps the connection open.'

const resumeHeader = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe(
      'Cursor of the last event received. Browsers send it when they reconnect. The header takes precedence over `after`.',
    ),
})

/** Settings whose values appear in the document. */
export type DocumentConfig = Pick<Config, 'publicUrl' | 'communityUrl'>

/** Returns the URL of the community. It is relative if `PUBLIC_URL` is not set either. */
function toAddress({ communityUrl, publicUrl }: DocumentConfig): string {
  return publicUrl === null ? communityUrl : new URL(communityUrl, publicUrl).href
}

/** The introduction of the document. Each text is one paragraph of the introduction. */
const DESCRIPTION = [
  'A play-money launchpad: launch, trade and watch meme tokens. There is no real money and no blockchain. Amounts are exact decimals, sent as text.',
  'Errors are one sentence of text/plain. API keys and clients whose Accept prefers JSON get problem details (RFC 9457). `x-error-codes` lists the error codes of one operation, `x-common-error-codes` those of all operations, and `x-common-headers` the headers of every response.',
  'A player can have at most eight orders (launches, buys, sales, rug pulls) running at once. A ninth order fails with 429 TOO_MANY_ORDERS.',
  '503 BUSY and DATABASE_AWAY mean that nothing changed. Try again after Retry-After seconds. 503 OUTCOME_UNKNOWN means that the order may have been placed. Repeat the order with the Idempotency-Key header of the response. A repeated order trades at most once and returns the first outcome.',
  'This document lists the operations for guests and API keys. For all operations, error examples and property descriptions, add the query parameter `view=full`.',
  '/api/events (Server-Sent Events) and the WebSocket /ws send live events. Live streams can resume at a cursor. tRPC subscriptions at /trpc send all events of a token from any sequence number on.',
]

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The session cookie, which is named __Host-papermoon_session over https.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key from POST /api/keys with one of the operation’s `x-api-key-scopes`. The scope read includes market. A key works from any origin. Requests with a key ignore cookies.',
  },
} as const

/**
 * The two versions of the document. `programs` has the operations for guests and API keys, and `full` has all
 * operations, with examples of errors.
 */
export const VIEWS = ['programs', 'full'] as const

export type View = (typeof VIEWS)[number]

/**
 * Creates the OpenAPI 3.1 document for the REST routes. Throws an error if a route lacks an example, a tag or its own
 * name.
 */
export function createOpenApiDocument(config: DocumentConfig, view: View, allRoutes = restRoutes) {
  const isFull = view === 'full'
  const routes = isFull ? allRoutes : allRoutes.filter(isForPrograms)
  const schemas = new ComponentSchemas()
  for (const route of routes) {
    schemas.learn(getBodySchema(route), 'output')
    const { rest } = splitInput(route.entry.input, route.path)
    if (rest !== undefined) schemas.learn(rest, 'input')
  }
  const components: Components = {
    schemas,
    responses: new SharedResponses(),
    parameters: new SharedParameters(),
  }
  schemas.describe(problem, 'output', 'Problem')
  const paths = { ...describePaths(routes, components), [EVENTS_PATH]: { get: describeEventStream(components) } }
  const parameters = components.parameters.resolve(Object.values(paths).flatMap((path) => Object.values(path)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Papermoon',
      version: '1',
      description: [...DESCRIPTION, describeSharedLimits()].join('\n\n'),
      contact: { name: 'The community', url: toAddress(config) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.publicUrl ?? '/', description: 'The server of this document.' }],
    tags: listTags([...routes.map(({ procedure }) => procedure), 'live.events']),
    security: DEFAULT_SECURITY,
    paths: isFull ? paths : leaveOutPatterns(leaveOutRepeats(paths)),
    'x-common-headers': COMMON_HEADERS,
    'x-common-error-codes': COMMON_REFUSALS,
    components: {
      schemas: isFull ? schemas.toRecord() : mapValues(leaveOutPatterns(schemas.toRecord()), leaveOutWords),
      responses: components.responses.toRecord(isFull),
      parameters: isFull ? parameters : leaveOutPatterns(parameters),
      headers: headerComponents,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** Removes each description that equals the one in `PROPERTY_WORDS`, to save bytes. */
function leaveOutWords(schema: JsonSchema): JsonSchema {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, part]) => {
    const { description, ...rest } = part
    return [name, description === PROPERTY_WORDS[name] ? rest : part]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Removes the patterns of dates, because `format` already describes them. */
function leaveOutPatterns<Part>(part: Part): Part {
  const leaveOut = (_key: string, value: unknown) => {
    return Object(value).format === 'date' ? { ...Object(value), pattern: undefined } : value
  }
  return JSON.parse(JSON.stringify(part, leaveOut))
}

/** Removes examples that an earlier operation in the document already contains. */
function leaveOutRepeats(paths: ReturnType<typeof describePaths>): ReturnType<typeof describePaths> {
  const seen = new Set<string>()
  const leaveOut = (key: string, value: unknown): unknown => {
    if (!key.startsWith('application/') || !Object.hasOwn(Object(value), 'example')) return value
    const { example, ...rest } = value as { example: unknown }
    // Remove this example, because the list's JSON response already shows the same rows.
    if (key === 'application/x-ndjson') return rest
    const text = JSON.stringify(example)
    if (text.length > 60 && seen.has(text)) return rest
    for (const shown of [example].flat()) seen.add(JSON.stringify(shown))
    seen.add(text)
    return value
  }
  return JSON.parse(JSON.stringify(paths, leaveOut))
}

/** Returns whether guests or programs with an API key can call the route, or need the route to get a key. */
function isForPrograms(route: RestRoute): boolean {
  return route.access === 'anyone' || getAcceptedScopes(route.entry).length > 0 || route.procedure.startsWith('keys.')
}

function describePaths(routes: readonly RestRoute[], components: Components) {
  const paths: Record<string, Record<string, Record<string, unknown>>> = {}
  for (const route of routes) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = describeOperation(route, components)
    paths[route.path] = path
    const [exportPath, operation] = describeExport(route, components) ?? []
    if (exportPath !== undefined && operation !== undefined) paths[exportPath] = { get: operation }
  }
  return paths
}

const FORMATS = Object.values(ROW_FORMATS).map(({ fileEnding }) => fileEnding)

const place = z.object({
  format: z.enum(FORMATS).describe('csv is RFC 4180 with a header row. ndjson is one JSON object per line.'),
})

/** Returns the path and the operation for a list's file; null if the route has no file. */
function describeExport(route: RestRoute, components: Components): [string, Record<string, unknown>] | null {
  const rows = rowStreams[route.procedure]
  if (rows === undefined) return null
  const { response } = getExample(route)
  const list = (rows.property === undefined ? response : Object(response)[rows.property]) as Rows
  const own = describeOperation(route, components)
  const parts = { ...components, example: { input: { format: 'csv' }, response: null } }
  return [
    `/api/exports/${route.path.slice('/api/'.length)}.{format}`,
    {
      operationId: route.operationId.replace(/^(list|get)/, 'export'),
      summary: `Exports all rows of ${route.operationId}, or the first \`limit\``,
      description: 'Counts as twenty calls for the rate limit.',
      tags: own.tags,
      security: own.security,
      parameters: [...describeParameters(place, 'path', parts), ...(own.parameters as unknown[])],
      responses: {
        ...Object(own.responses),
        200: {
          description: 'The exported rows.',
          content: mapValues(ROW_FORMATS, (format) => ({
            schema: { type: 'string' },
            example: `${format.head(rows.columns)}${format.rows(list, rows.columns)}`,
          })),
        },
      },
      'x-error-codes': own['x-error-codes'],
    },
  ]
}

/** Describes the operation of the event stream, which is not a procedure. */
function describeEventStream(components: Components): Record<string, unknown> {
  const parts = { ...components, example: { input: { types: 'trade,rug' }, response: null } }
  return {
    operationId: 'streamEvents',
    summary: 'Streams Server-Sent Events',
    description: STREAM_DESCRIPTION,
    tags: [findTag('live.events').name],
    security: [],
    parameters: [
      ...describeParameters(eventStreamInput, 'query', parts),
      ...describeParameters(resumeHeader, 'header', parts),
    ],
    responses: {
      200: {
        description: 'The stream of events.',
        content: {
          'text/event-stream': {
            schema: { type: 'string', description: BODY },
            example: toExample(),
          },
        },
      },
      ...components.responses.describe({ refusals: ['BUSY', 'FAIR_NOT_FOUND'] }),
    },
  }
}

function toExample(): string {
  const { cursor, ...event } = streamExamples.trade
  return `id: ${cursor}\nevent: trade\ndata: ${JSON.stringify(event)}\n\n`
}
