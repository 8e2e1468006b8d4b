/** Max number of challenges per call. The server may require more work while the client solves a challenge. */
const ROUNDS_MAX = 3

/** Called with `true` when a call starts to wait for proof of work, and with `false` when the work ends. */
export type OnWork = (isWorking: boolean) => void

/**
 * Wraps `fetch`. After a 429 response, solves its challenge and repeats the call. Such a call takes some seconds
 * instead of failing. After `ROUNDS_MAX` attempts, returns the server's rejection.
 */
export function createProofOfWorkFetch(send: typeof fetch, onWork: OnWork = () => {}): typeof fetch {
  return async (url, init) => {
    let response = await send(url, init)
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const challenge = response.status === 429 ? response.headers.get('proof-of-work-challenge') : null
      if (challenge === null) return response
      const headers = new Headers(init?.headers)
      headers.set('proof-of-work', await solve(challenge, onWork))
      response = await send(url, { ...init, headers })
    }
    return response
  }
}

async function solve(challenge: string, onWork: OnWork): Promise<string> {
  onWork(true)
  try {
    const { solveChallenge } = await import('./proof-of-work.ts')
    return await solveChallenge(challenge)
  } finally {
    onWork(false)
  }
}
