import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Context } from '../context.ts'
import { BadInputError } from '../errors.ts'
import { RESET_COOKIE, SESSION_COOKIE, tokenCookie } from './token-cookies.ts'

/** The context of the calls of one HTTP request. */
export function httpContext(app: App, request: FastifyRequest, reply: FastifyReply): Context {
  const exchange = { request, reply, publicUrl: app.config.publicUrl }
  return {
    app,
    ip: request.ip,
    sessionToken: request.cookies[SESSION_COOKIE] ?? null,
    sessionCookie: tokenCookie(SESSION_COOKIE, exchange),
    resetToken: request.cookies[RESET_COOKIE] ?? null,
    resetCookie: tokenCookie(RESET_COOKIE, exchange),
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
    resetToken: null,
    resetCookie: null,
    header: () => {},
    holdSubscription,
  }
}
