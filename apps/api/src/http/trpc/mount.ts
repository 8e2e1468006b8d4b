import { procedures } from '@papermoon/contract'
import { DomainError } from '@papermoon/engine'
import { getErrorShape, getTRPCErrorFromUnknown, TRPCError, transformTRPCResponse } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isFrozen, jsonText } from '../../cache/cache-entry.ts'
import type { App, Context } from '../../context.ts'
import { BadInputError, getChallenge, MethodNotAllowedError, NotFoundError } from '../../errors.ts'
import { encodeChallenge } from '../../security/proof-of-work/proof-of-work.ts'
import { assertBatch, callProcedure, logIfUnexpected, toCallError, trpcConfig } from '../../trpc.ts'
import { assertQuery } from '../../validation/known-properties.ts'
import { OVERSIZED_JSON, openEnvelope, parseBoundedJson } from '../../validation/plain-input.ts'
import { createHttpContext } from '../calls/call-context.ts'
import type { ResponseCompressor } from '../calls/response-cache.ts'
import { takeOnlyJson } from '../create-fastify.ts'
import { askForCredentials, CHALLENGE_HEADER, sendFailure, toExpectedFailure, UNAUTHORIZED } from '../error-response.ts'
import { serveTrpcSocket } from '../sockets/trpc-socket.ts'

const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `/trpc`: serves typed procedures over HTTP, alone or in batches, and over a WebSocket. */
export const trpcMount = fp<TrpcParts>(
  async (root, { app, compressor }) => {
    await root.register(async (fastify) => {
      takeOnlyJson(fastify)
      mountHttp(fastify, { app, compressor })
      mountSocket(fastify, app)
    })
  },
  { name: 'trpc-mount', dependencies: ['live-sockets'] },
)

function mountHttp(fastify: FastifyInstance, parts: TrpcParts): void {
  fastify.setErrorHandler(async (thrown, request, reply) => {
    if (request.routeOptions.url !== '/trpc/*') return sendFailure(thrown, request, reply)
    const error = toTrpcError(thrown)
    logIfUnexpected(request, error, undefined)
    reply.header('cache-control', 'no-store')
    return reply.code(getHTTPStatusCodeFromError(error)).send(toErrorEnvelope(error))
  })
  fastify.route<TrpcRequest>({
    method: ['GET', 'POST'],
    url: '/trpc/*',
    handler: (request, reply) => answerTrpc(parts, request, reply),
  })
  fastify.route({
    method: OTHER_METHODS,
    url: '/trpc/*',
    onRequest: async (_request, reply) => {
      reply.header('allow', 'GET, POST')
      throw new MethodNotAllowedError('Procedures are called with GET or POST.')
    },
    handler: async () => {},
  })
}

function mountSocket(fastify: FastifyInstance, app: App): void {
  fastify.route({
    method: 'GET',
    url: '/trpc',
    preValidation: async (request) => {
      if (!request.ws) return
      assertQuery(request.query, ['connectionParams'])
      fastify.liveSockets.assertRoom(request)
    },
    handler: async () => {
      throw new NotFoundError('Please name a procedure, or open a WebSocket here.')
    },
    wsHandler: (socket, request) => {
      fastify.liveSockets.add(socket, request)
      const countReads = () => fastify.liveSockets.countReads(socket)
      serveTrpcSocket(app, { socket, request, server: fastify.websocketServer, countReads })
    },
  })
}

const MIXED = 207

interface FailedCall {
  readonly path?: string
  readonly type?: 'query' | 'mutation' | 'subscription' | 'unknown'
  readonly ctx?: Context
}

interface Answer {
  readonly status: number
  /** The envelope as JSON text. */
  readonly text: string
  readonly retryAfterS: number
}

interface TrpcRequest {
  Params: { '*': string }
  Querystring: { batch?: unknown; input?: unknown }
}

/** All parts that are needed to respond to tRPC calls. */
interface TrpcParts {
  readonly app: App
  readonly compressor: ResponseCompressor
}

/**
 * Responds to tRPC over HTTP directly from Fastify's request. tRPC's own adapter costs nine times as much, because it
 * creates a `Request`, a `Response` and their streams for each call.
 */
async function answerTrpc(
  { app, compressor }: TrpcParts,
  request: FastifyRequest<TrpcRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isQuery = request.method !== 'POST'
  assertQuery(request.query, isQuery ? ['batch', 'input'] : ['batch'])
  const isBatch = readBatchFlag(request.query)
  const paths = isBatch ? request.params['*'].split(',') : [request.params['*']]
  assertBatch(paths)
  const inputs = readInputs(request, isBatch ? paths.length : null)
  const ctx = createHttpContext(app, request as FastifyRequest, reply)
  // A client can also call queries with POST. With POST, the input is not in the URL.
  const toType = (path: string) => (isQuery || procedures.get(path)?.type === 'query' ? 'query' : 'mutation')
  const answers = await Promise.all(
    paths.map((path, index) =>
      answerCall({ ctx, request: request as FastifyRequest, type: toType(path), path, index, raw: inputs[index] }),
    ),
  )
  const [first] = answers
  const statuses = new Set(answers.map((answer) => answer.status))
  const retryAfterS = Math.max(...answers.map((answer) => answer.retryAfterS))
  if (retryAfterS > 0) reply.header('retry-after', String(retryAfterS))
  if (statuses.has(UNAUTHORIZED)) askForCredentials(reply)
  reply.header('cache-control', 'no-store')
  reply.code(statuses.size > 1 ? MIXED : (first?.status ?? 400)).type('application/json; charset=utf-8')
  const text = isBatch ? `[${answers.map((answer) => answer.text).join(',')}]` : (first?.text ?? '')
  // Do not compress errors, because they repeat text that the client sent.
  if (answers.some((answer) => answer.status !== 200)) return reply.send(text)
  return reply.send(await compressor.compress(paths, text, { request: request as FastifyRequest, reply }))
}

interface Call {
  readonly ctx: Context
  readonly request: FastifyRequest
  readonly type: 'query' | 'mutation'
  readonly path: string
  readonly index: number
  readonly raw: unknown
}

async function answerCall(call: Call): Promise<Answer> {
  const { ctx, type, path } = call
  try {
    await assertCallable(ctx, path, type)
    const data = await callProcedure({ ctx, path, type, readInput: () => openEnvelope(call.raw) })
    return { status: 200, text: toResultText(data), retryAfterS: 0 }
  } catch (thrown) {
    const error = toTrpcError(thrown)
    logIfUnexpected(call.request, error, path)
    const challenge = error.cause instanceof DomainError ? getChallenge(error.cause) : undefined
    if (challenge !== undefined) ctx.header(CHALLENGE_HEADER, encodeChallenge(challenge))
    return {
      status: getHTTPStatusCodeFromError(error),
      text: JSON.stringify(toErrorEnvelope(error, { path, type, ctx })),
      retryAfterS: getRetryAfterS(error),
    }
  }
}

const MARK = 'the JSON of a value'

/** tRPC's envelope, split at the position of the value's JSON. */
const [BEFORE = '', AFTER = ''] = toEnvelope(MARK).split(JSON.stringify(MARK))

/** Returns the JSON of a result. A frozen value needs no superjson, because it is plain JSON whose text is cached. */
function toResultText(data: unknown): string {
  return isFrozen(data) ? `${BEFORE}${jsonText(data)}${AFTER}` : toEnvelope(data)
}

function toEnvelope(data: unknown): string {
  return JSON.stringify(transformTRPCResponse(trpcConfig, { result: { data } }))
}

/** Counts a call of an unknown procedure as a read. Rejects a subscription, and a mutation that uses GET. */
async function assertCallable(ctx: Context, path: string, type: 'query' | 'mutation'): Promise<void> {
  const known = procedures.get(path)?.type
  if (known === type) return
  await ctx.app.accounts.limits.spend(ctx, 'read')
  if (known === undefined) return
  if (known === 'subscription') throw new BadInputError('Subscriptions need a WebSocket.')
  throw new MethodNotAllowedError(`Please call ${path} with POST.`)
}

function readBatchFlag({ batch }: TrpcRequest['Querystring']): boolean {
  if (batch === undefined || batch === '1') return batch === '1'
  throw new BadInputError('batch must be 1, or left out.')
}

/**
 * Returns the raw inputs of a batch of `calls` calls by position. If `calls` is null, the request contains a single
 * call.
 */
function readInputs(request: FastifyRequest<TrpcRequest>, calls: number | null): Record<number, unknown> {
  const all = request.method === 'POST' ? request.body : parseInput(request.query.input)
  if (calls === null) return { 0: all }
  if (all === undefined) return {}
  if (all === OVERSIZED_JSON) return new Array(calls).fill(OVERSIZED_JSON)
  if (typeof all !== 'object' || all === null || Array.isArray(all)) {
    throw new BadInputError('The inputs of a batch must be an object.')
  }
  const places = Array.from({ length: calls }, (_, place) => String(place))
  const unknown = Object.keys(all).find((name) => !places.includes(name))
  if (unknown !== undefined) throw new BadInputError(`The inputs of this batch are named 0 to ${calls - 1}.`)
  return all as Record<number, unknown>
}

function parseInput(input: unknown): unknown {
  if (input === undefined || input === '') return undefined
  try {
    return parseBoundedJson(String(input))
  } catch {
    throw new BadInputError('The input is not valid JSON.')
  }
}

function getRetryAfterS(error: TRPCError): number {
  return error.cause instanceof DomainError ? (error.cause.retryAfterS ?? 0) : 0
}

/** Converts any error to a tRPC error. Expected failures keep their message and code. */
function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error
  const expected = toExpectedFailure(error)
  if (expected !== null) return toCallError(expected)
  return getTRPCErrorFromUnknown(error)
}

/** Returns the JSON envelope for a failed call. */
function toErrorEnvelope(error: TRPCError, { path, type = 'unknown', ctx }: FailedCall = {}): unknown {
  return transformTRPCResponse(trpcConfig, {
    error: getErrorShape({ config: trpcConfig, error, type, path, input: undefined, ctx }),
  })
}
