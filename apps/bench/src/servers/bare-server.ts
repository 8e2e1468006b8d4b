import { once } from 'node:events'
import type { BareAnswers } from './bare-route.ts'
import { type ChildServer, startChildServer } from './child-server.ts'

/** The baseline of everything served: one route of the same Fastify, without a plugin, that answers a GET or POST of `/` from memory. */
export interface BareServer extends ChildServer {
  /** What it answers from now on. */
  answer(answers: BareAnswers): Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const server = await startChildServer(['apps/bench/src/servers/bare-route.ts'], {})
  return {
    ...server,
    answer: async (answers) => {
      const taken = once(server.child, 'message')
      server.child.send(answers)
      await taken
    },
  }
}
