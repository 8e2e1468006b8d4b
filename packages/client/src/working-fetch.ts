/** A puzzle's price can rise between its making and its answer, twice. */
const ROUNDS_MAX = 3

/** A call waits for work of this client: `true` when it begins, `false` when it ends. */
export type OnWork = (isWorking: boolean) => void

/**
 * A `fetch` that solves the puzzle of a 429 and repeats the call with its answer, so that whoever calls waits for some
 * seconds instead of being refused. What the server refuses all the same comes back as it is.
 */
export function workingFetch(send: typeof fetch, onWork: OnWork = () => {}): typeof fetch {
  return async (url, init) => {
    let answer = await send(url, init)
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const challenge = answer.status === 429 ? answer.headers.get('proof-of-work-challenge') : null
      if (challenge === null) return answer
      const headers = new Headers(init?.headers)
      headers.set('proof-of-work', await solve(challenge, onWork))
      answer = await send(url, { ...init, headers })
    }
    return answer
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
