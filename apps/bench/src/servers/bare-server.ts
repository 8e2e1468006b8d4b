import { once } from 'node:events'
import type { BareAnswers } from './bare-route.ts'
import { type ChildServer, startChildServer } from './child-server.ts'

/** The baseline of the server benches: one Fastify route without plugins that answers GET and POST `/` from memory. */
export interface BareServer extends ChildServer {
  /** Sets the answer. */
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
