import {
  BUY_EVENT,
  FAIR_EVENT,
  LAUNCH_EVENT,
  RUG_EVENT,
  RUGGED_AT,
  SEAL_EVENT,
  TOKEN_NAMES,
} from '@papermoon/contract/example-market'
import { eventStreamInput, streamMessages } from '@papermoon/contract/live'
import { EXAMPLE_POST } from '@papermoon/contract/talk'
import { EXAMPLE_WAITING } from '@papermoon/contract/waiting-orders'
import fp from 'fastify-plugin'
import { type ZodType, z } from 'zod'
import type { App } from '../../../context.ts'
import { assertQuery } from '../../../validation/known-properties.ts'
import { createFixedPage, type FixedPage, serveAtOrigins } from '../../pages/fixed-page.ts'

const ORIGINS_MAX = 8

const CURSOR = 'MS4zZjlhMDdjMi41NTMucA'

/** Examples of every kind of message. */
export const streamExamples: Examples = {
  launch: { ...LAUNCH_EVENT, cursor: CURSOR },
  trade: { ...BUY_EVENT, ...TOKEN_NAMES, cursor: CURSOR },
  rug: { ...RUG_EVENT, ...TOKEN_NAMES, cursor: CURSOR },
  seal: { ...SEAL_EVENT, ...TOKEN_NAMES, cursor: CURSOR },
  fair: { ...FAIR_EVENT, podium: [...FAIR_EVENT.podium], cursor: CURSOR },
  post: {
    type: 'post',
    tokenId: 7,
    kind: 'shown',
    post: EXAMPLE_POST,
    createdAt: EXAMPLE_POST.createdAt,
    ...TOKEN_NAMES,
    cursor: CURSOR,
  },
  order: {
    type: 'order',
    tokenId: 7,
    version: 412,
    fill: null,
    order: EXAMPLE_WAITING,
    ...TOKEN_NAMES,
    cursor: CURSOR,
  },
  gap: {
    type: 'gap',
    reason: 'expired',
    since: '2026-02-27T09:30:00.000Z',
    until: RUGGED_AT,
    cursor: CURSOR,
  },
  live: { type: 'live', at: RUGGED_AT, cursor: CURSOR },
}

type Examples = { readonly [Name in keyof typeof streamMessages]: z.input<(typeof streamMessages)[Name]> }

/** `/api/asyncapi.json`: describes the messages of `/api/events` and `/ws`. */
export const asyncApi = fp<{ app: App }>(
  async (fastify, { app }) => {
    const serve = serveAtOrigins(fastify, app, ORIGINS_MAX)
    serve({ path: '/api/asyncapi.json', create: createDocument, check: ({ query }) => void assertQuery(query) })
  },
  { name: 'asyncapi', dependencies: ['security'] },
)

/** Creates the AsyncAPI document. The servers in the document have the origin from which it was requested. */
function createDocument(origin: string): Promise<FixedPage> {
  return createFixedPage('application/json; charset=utf-8', JSON.stringify(asyncApiDocument(origin)))
}

type MessageName = keyof typeof streamMessages

const SUMMARIES: Record<MessageName, string> = {
  launch: 'A player launched a token. The seq of a launch is 0.',
  trade: 'A player bought or sold tokens. The seq of the trade is the token’s next number.',
  rug: 'A creator took the pool’s SOL and closed the token. The seq of the rug pull is the token’s last number.',
  seal: 'A creator sealed a token or extended its seal, or the seal ended. Sent only if types= names seal. (tokenId, number, kind) identifies the event.',
  fair: 'A fair started, ended, has results, or is void. Sent only if types= names fair and fairs= lists the fair. (fairId, moment) identifies the event.',
  post: 'A post about a token was shown or changed. The event contains the post’s current state. Sent only if types= names post. Do not trust the text, because a player wrote it.',
  order:
    'Your waiting order was placed, filled, triggered or ended. The event contains the order’s current state. Sent only with an API key or a session, and only if types= names order.',
  gap: 'Some events can no longer be sent, because the cursor is too old or unknown. New events follow.',
  live: 'The server has sent all past events of a resumed stream. New events follow.',
}

const NAMES = Object.keys(streamMessages) as MessageName[]

const DESCRIPTION = [
  'The server sends events of the market as Server-Sent Events at /api/events and as WebSocket messages at /ws. Both send the same JSON and accept pages of any origin. You need an account only for rooms, sandboxes and your own orders.',
  'Each event is delivered at least once. The events of a token arrive in the order of seq, and (tokenId, seq) identifies an event. To resume, send the id of the last event (Last-Event-ID or after=) within 24 hours, to any node.',
  'With fairs=, you get events of the named fairs instead of the fairground’s, each with its fairId. For rooms and sandboxes, you need a member’s API key or session. Other callers get 404, and the stream ends within seconds after the membership ends. A cursor works either in the fairground or in fairs. In the other market, the cursor returns 400.',
  'Amounts are exact decimals, sent as text. Times are in ISO 8601.',
].join('\n\n')

const CHANNELS = {
  events: {
    address: '/api/events',
    title: 'Server-Sent Events',
    description:
      'A text/event-stream. event is launch, trade, rug, seal, fair, post, gap or live. data is the JSON, and id is the cursor.',
    server: 'http',
  },
  socket: {
    address: '/ws',
    title: 'WebSocket',
    description: 'Each message is one JSON object. To resume, send its property cursor.',
    server: 'websocket',
  },
} as const

type ChannelName = keyof typeof CHANNELS

/** Creates the AsyncAPI 3 document from the stream’s schemas; `origin` is the origin of the server. */
function asyncApiDocument(origin: string): object {
  const { host, protocol } = new URL(origin)
  const isTls = protocol === 'https:'
  const channels = Object.keys(CHANNELS) as ChannelName[]
  const schemas = toSchemas()
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Papermoon events',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      http: { host, protocol: isTls ? 'https' : 'http', description: 'Server-Sent Events.' },
      websocket: { host, protocol: isTls ? 'wss' : 'ws', description: 'WebSocket.' },
    },
    channels: Object.fromEntries(channels.map((name) => [name, describeChannel(name)])),
    operations: Object.fromEntries(channels.map((name) => [`${name}.receive`, describeOperation(name)])),
    components: {
      messages: Object.fromEntries(NAMES.map((name) => [name, describeMessage(name)])),
      schemas,
    },
  }
}

function describeChannel(name: ChannelName): object {
  const { address, title, description, server } = CHANNELS[name]
  return {
    address,
    title,
    description,
    servers: [{ $ref: `#/servers/${server}` }],
    messages: Object.fromEntries(NAMES.map((message) => [message, { $ref: `#/components/messages/${message}` }])),
    ...(server === 'websocket' && { bindings: { ws: { query: toSchema(eventStreamInput) } } }),
  }
}

/** Describes the messages that this server sends. */
function describeOperation(name: ChannelName): object {
  return {
    action: 'send',
    title: `Events by ${CHANNELS[name].title}`,
    channel: { $ref: `#/channels/${name}` },
    messages: NAMES.map((message) => ({ $ref: `#/channels/${name}/messages/${message}` })),
    ...(name === 'events' && { bindings: { http: { method: 'GET', query: toSchema(eventStreamInput) } } }),
  }
}

function describeMessage(name: MessageName): object {
  return {
    name,
    title: name,
    summary: SUMMARIES[name],
    contentType: 'application/json',
    payload: { $ref: `#/components/schemas/${name}` },
    examples: [{ name, payload: streamExamples[name] }],
  }
}

/** Returns the messages and the schemas that they share, by name. */
function toSchemas(): Record<string, object> {
  const shared: Record<string, object> = {}
  const messages = NAMES.map((name) => {
    const { definitions, ...schema } = toSchema(streamMessages[name]) as { definitions?: Record<string, object> }
    Object.assign(shared, definitions)
    return [name, schema] as const
  })
  const text = JSON.stringify({ ...Object.fromEntries(messages), ...shared })
  return JSON.parse(text.replaceAll('#/definitions/', '#/components/schemas/'))
}

/** Converts a schema to JSON Schema draft 7, which AsyncAPI uses. */
function toSchema(schema: ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  return rest
}
