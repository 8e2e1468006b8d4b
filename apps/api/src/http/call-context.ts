import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Context } from '../context.ts'
import { BadInputError } from '../errors.ts'
import { bearerOf } from './bearer.ts'
import { isLocalRequest } from './local-request.ts'
import { KNOWN_COOKIE, RESET_COOKIE, SESSION_COOKIE, tokenCookie } from './token-cookies.ts'

const NO_COOKIES = {
  sessionToken: null,
  sessionCookie: null,
  resetToken: null,
  resetCookie: null,
  knownToken: null,
  knownCookie: null,
} as const

/** The context of the calls of one HTTP request. */
export function httpContext(app: App, request: FastifyRequest, reply: FastifyReply): Context {
  const exchange = { request, reply, publicUrl: app.config.publicUrl }
  const apiKey = bearerOf(request)
  const cookies = {
    sessionToken: request.cookies[SESSION_COOKIE] ?? null,
    sessionCookie: tokenCookie(SESSION_COOKIE, exchange),
    resetToken: request.cookies[RESET_COOKIE] ?? null,
    resetCookie: tokenCookie(RESET_COOKIE, exchange),
    knownToken: request.cookies[KNOWN_COOKIE] ?? null,
    knownCookie: tokenCookie(KNOWN_COOKIE, exchange),
  }
  return {
    app,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    isLocal: isLocalRequest(request),
    apiKey,
    ...(apiKey === null ? cookies : NO_COOKIES),
    header: (name, value) => void reply.header(name, value),
    holdSubscription: () => {
      throw new BadInputError('Subscriptions need a WebSocket.')
    },
  }
}

/** The context of the calls of one WebSocket, which cannot set a cookie; `request` is its upgrade. */
export function socketContext(app: App, request: FastifyRequest, holdSubscription: () => () => void): Context {
  const apiKey = bearerOf(request)
  return {
    app,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    isLocal: isLocalRequest(request),
    apiKey,
    ...NO_COOKIES,
    sessionToken: apiKey === null ? (request.cookies[SESSION_COOKIE] ?? null) : null,
    header: () => {},
    holdSubscription,
  }
}
