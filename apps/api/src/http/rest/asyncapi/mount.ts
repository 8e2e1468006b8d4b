import { eventStreamInput, streamMessages } from '@papermoon/contract/live'
import fp from 'fastify-plugin'
import { type ZodType, z } from 'zod'
import type { App } from '../../../context.ts'
import { createFixedPage, type FixedPage, serveAtOrigins } from '../../pages/fixed-page.ts'
import { assertQuery } from '../query-parameters.ts'
import { streamExamples } from './examples.ts'

const ORIGINS_MAX = 8

/** `/api/asyncapi.json`: what `/api/events` and `/ws` send. */
export const asyncApi = fp<{ app: App }>(
  async (fastify, { app }) => {
    const serve = serveAtOrigins(fastify, app, ORIGINS_MAX)
    serve({ path: '/api/asyncapi.json', create: createDocument, check: ({ query }) => void assertQuery(query) })
  },
  { name: 'asyncapi', dependencies: ['security'] },
)

/** The servers of the document are where it was read. */
function createDocument(origin: string): Promise<FixedPage> {
  return createFixedPage('application/json; charset=utf-8', JSON.stringify(asyncApiDocument(origin)))
}

type MessageName = keyof typeof streamMessages

const SUMMARIES: Record<MessageName, string> = {
  launch: 'A token was launched; its seq is 0.',
  trade: 'Somebody bought or sold; its seq is the next one of the token.',
  rug: 'A creator drained the pool and closed the token; its seq is the last one of the token.',
  seal: 'A creator sealed a token or made its seal longer, or the seal ended; only for those who name it in types=. (tokenId, number, kind) identifies a repeat.',
  fair: 'A fair opened, its bell fell, or it has results or does not count; only for those who name it in types= and follow the fair by fairs=. (fairId, moment) identifies a repeat.',
  post: 'A post about a token was shown, or has changed: it is as it says now. Only for those who name it in types=. Its words are a player’s, and untrusted.',
  order:
    'One’s own waiting order was placed, filled, triggered or ended: it is as it says now. Only with an API key or a session, for those who name it in types=.',
  gap: 'Events were missed for good, because the cursor is too old or unknown; what follows happens from now on.',
  live: 'Only for those who resume: the past ends here, and what follows happens from now on.',
}
const NAMES = Object.keys(streamMessages) as MessageName[]

const DESCRIPTION = [
  'Events of the market, as Server-Sent Events at /api/events and as WebSocket messages at /ws. Both need no account but for rooms, answer pages of every origin, and send the same JSON.',
  'Delivery is at least once, and in the order of seq for each token; (tokenId, seq) identifies a repeat. Resume by the id of the last event (Last-Event-ID, or after=) within 24 hours, at any node.',
  'With fairs= they are events of those fairs instead of the fairground, each with its fairId. Rooms and sandboxes need the API key, or the session, of a member: to others they do not exist (404), and the stream ends within seconds once one is a member no more. A cursor belongs to the fairground or to all other fairs; the other refuses it (400).',
  'Figures are exact decimals as text, times are ISO 8601.',
].join('\n\n')

const CHANNELS = {
  events: {
    address: '/api/events',
    title: 'Server-Sent Events',
    description:
      'text/event-stream. event is launch, trade, rug, seal, fair, post, gap or live; data is the JSON; id is the cursor.',
    server: 'http',
  },
  socket: {
    address: '/ws',
    title: 'WebSocket',
    description: 'A JSON object a message. The cursor to resume at is the property cursor.',
    server: 'websocket',
  },
} as const
type ChannelName = keyof typeof CHANNELS

/** The AsyncAPI 3 document, made from the schemas that the stream uses. `origin` is the server's own address. */
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

/** The messages, and what they share, by name. */
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

/** Converts to JSON Schema of draft 7, which AsyncAPI builds on. */
function toSchema(schema: ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  return rest
}
