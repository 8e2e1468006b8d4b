import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Context } from '../context.ts'
import { BadInputError } from '../errors.ts'
import { SESSION_COOKIE, sessionCookieOf } from './session-cookie.ts'

/** The context of the calls of one HTTP request. */
export function httpContext(app: App, request: FastifyRequest, reply: FastifyReply): Context {
  return {
    app,
    ip: request.ip,
    sessionToken: request.cookies[SESSION_COOKIE] ?? null,
    sessionCookie: sessionCookieOf(request, reply, app.config.publicUrl),
    header: (name, value) => void reply.header(name, value),
    holdSubscription: () => {
      throw new BadInputError('Subscriptions need a WebSocket.')
    },
  }
}

/** The context of the calls of one WebSocket, which cannot set a cookie; `request` is its upgrade. */
export function socketContext(app: App, request: FastifyRequest, holdSubscription: () => () => void): Context {
  return {
    app,
    ip: request.ip,
    sessionToken: request.cookies[SESSION_COOKIE] ?? null,
    sessionCookie: null,
    header: () => {},
    holdSubscription,
  }
}
