import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'

/** Returns an `onRequest` hook that counts reads outside procedures against the limit for reads. */
export function countRead(app: App): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const header = (name: string, value: string) => void reply.header(name, value)
    await app.accounts.limits.spend({ ip: request.ip, header }, 'read')
  }
}
