import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2'
import { deriveKey as sha } from 'altcha-lib/algorithms/sha'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { solveChallenge } from '../src/proof-of-work.ts'
import { createProofOfWorkFetch } from '../src/proof-of-work-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

const hmacSignatureSecret = 'a secret of the test'

async function createPuzzle(algorithm: 'PBKDF2/SHA-256' | 'SHA-256', counter: number, cost = 10) {
  const deriveKey = algorithm === 'SHA-256' ? sha : pbkdf2
  const data = { counterMax: 200 }
  const challenge = await createChallenge({ algorithm, cost, counter, data, deriveKey, hmacSignatureSecret })
  const verify = async (answer: string) => {
    const parsed = JSON.parse(Buffer.from(answer, 'base64url').toString())
    return (await verifySolution({ ...parsed, deriveKey, hmacSignatureSecret })).verified
  }
  return { header: Buffer.from(JSON.stringify(challenge)).toString('base64url'), verify }
}

describe('solving a challenge', () => {
  it.each(['PBKDF2/SHA-256', 'SHA-256'] as const)(
    'of %s finds any counter, including the first and the last',
    async (kind) => {
      for (const counter of [0, 7, 200]) {
        const { header, verify } = await createPuzzle(kind, counter)
        const answer = await solveChallenge(header)
        expect(JSON.parse(Buffer.from(answer, 'base64url').toString()).solution.counter).toBe(counter)
        expect(await verify(answer)).toBe(true)
      }
    },
  )

  it('works without WebCrypto, which pages over plain HTTP do not have', async () => {
    const puzzles = [await createPuzzle('PBKDF2/SHA-256', 9), await createPuzzle('SHA-256', 90, 1)]
    vi.stubGlobal('crypto', {})
    const answers = await Promise.all(puzzles.map(({ header }) => solveChallenge(header)))
    vi.unstubAllGlobals()
    for (const [i, { verify }] of puzzles.entries()) expect(await verify(answers[i] ?? '')).toBe(true)
  })

  it('rejects if there is no solution', async () => {
    const { header } = await createPuzzle('SHA-256', 201)
    await expect(solveChallenge(header)).rejects.toThrow('no solution')
  })
})

describe('workingFetch', () => {
  const refusal = (header: string | null) =>
    new Response('Too many requests.', {
      status: 429,
      headers: header === null ? {} : { 'proof-of-work-challenge': header },
    })

  it('repeats a call with the solution, and reports when it is working', async () => {
    const { header, verify } = await createPuzzle('SHA-256', 5)
    const seen: RequestInit[] = []
    const reported: boolean[] = []
    const send = createProofOfWorkFetch(
      async (_url, init) => {
        seen.push(init ?? {})
        return new Headers(init?.headers).has('proof-of-work') ? new Response('ok') : refusal(header)
      },
      (isWorking) => reported.push(isWorking),
    )
    const init = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }
    expect(await (await send('/trpc/auth.login', init)).text()).toBe('ok')
    const [first, second] = seen.map(({ headers }) => Object.fromEntries(new Headers(headers)))
    expect([first, seen[1]?.body, second?.['content-type']]).toEqual([init.headers, init.body, 'application/json'])
    expect(await verify(second?.['proof-of-work'] ?? '')).toBe(true)
    expect(reported).toEqual([true, false])
  })

  it('gives up after three challenges, and at once without a challenge', async () => {
    const { header } = await createPuzzle('SHA-256', 1)
    let calls = 0
    const stubborn = createProofOfWorkFetch(async () => {
      calls++
      return refusal(header)
    })
    expect([(await stubborn('/x')).status, calls]).toEqual([429, 4])
    calls = 0
    const plain = createProofOfWorkFetch(async () => {
      calls++
      return refusal(null)
    })
    expect([await (await plain('/x')).text(), calls]).toEqual(['Too many requests.', 1])
  })

  it('reports the end of the work if a challenge cannot be solved', async () => {
    const reported: boolean[] = []
    const send = createProofOfWorkFetch(
      async () => refusal('nonsense'),
      (isWorking) => reported.push(isWorking),
    )
    await expect(send('/x')).rejects.toThrow()
    expect(reported).toEqual([true, false])
  })
})
