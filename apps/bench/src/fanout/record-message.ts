import { buyOnce } from '../load/buy.ts'
import { type Kind, listen } from './listen.ts'

const WAIT_MS = 5_000

/** Records the message that a listener gets for a trade. The promise rejects if no message arrives. */
export async function recordMessage(
  { port, tokenId, cookie }: { readonly port: number; readonly tokenId: number; readonly cookie: string | undefined },
  kind: Kind,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const listener = {
    text: (payload: Buffer) => {
      if (payload.indexOf('"trade"') >= 0) resolve(payload.toString())
    },
    lost: (reason: string) => reject(new Error(reason)),
  }
  const socket = await listen({ port, tokenId, kind }, listener)
  const buying = setInterval(() => void buyOnce(port, { tokenId, cookie }).catch(reject), 200)
  const late = setTimeout(() => reject(new Error('no message for a trade arrived')), WAIT_MS)
  try {
    return await promise
  } finally {
    clearInterval(buying)
    clearTimeout(late)
    socket.close()
  }
}
