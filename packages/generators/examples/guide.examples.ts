import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Server, startServer } from '@papermoon/api/testing'
import { type Language, listPrograms, type Program } from '@papermoon/guide'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOSTILE_REQUESTS, sendAndBreakOff, startHostileProxy } from './hostile.ts'
import { keepTrading, type Market } from './market.ts'
import { runProgram } from './run-program.ts'
import { CHALLENGE, FOREIGN_SECRET, findFreePort, SECRET, sendChallenge } from './send-challenge.ts'

/** The program that runs a language's code blocks. */
const NEEDS: Readonly<Partial<Record<Language, string>>> = { bash: 'curl', python: 'python3' }
const programs = listPrograms()

let server: Server
let market: Market
beforeAll(async () => {
  server = await startServer()
  market = await keepTrading(server.url)
})
afterAll(async () => {
  await market?.stop()
  await server?.remove()
})

describe.concurrent('the code blocks of the guide that are marked run', () => {
  it('are in all three languages', () => {
    expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(['bash', 'typescript', 'python']))
  })

  for (const program of programs) {
    const needed = NEEDS[program.language]
    const missing = isMissing(program)
    it.skipIf(missing)(missing ? `${program.name} (needs ${needed})` : program.name, async () => {
      const { url } = server
      const rival = await market.makeKey(['trade'])
      const { output, fault } = await runProgram(
        program,
        { url, key: await makeKey(program) },
        { env: { RIVAL: rival } },
      )
      expect(fault, output).toBeNull()
      if (program.prints !== null) expect(output).toMatch(new RegExp(program.prints))
    })
  }

  for (const bot of programs.filter(({ name }) => name.startsWith('bot '))) {
    it.skipIf(isMissing(bot))(`${bot.name}: prints what is refused, and goes on`, async () => {
      const key = await market.makeKey(['market'])
      const until = 'refused, .*trade[^]*refused, '
      const { output, fault } = await runProgram({ ...bot, until }, { url: server.url, key })
      expect(fault, output).toBeNull()
    })
  }

  for (const reader of programs.filter(isStreamReader)) {
    it.skipIf(isMissing(reader))(`${reader.name}: outlives garbage and a cut`, async () => {
      const proxy = await startHostileProxy(server.url)
      const { output, fault } = await runProgram(reader, { url: proxy.url, key: await makeKey(reader) })
      proxy.close()
      expect(fault, output).toBeNull()
      expect(proxy.broken).toBe(2)
    })
  }

  for (const receiver of programs.filter(({ name }) => name.startsWith('webhooks '))) {
    it.skipIf(isMissing(receiver))(
      `${receiver.name}: believes what is signed and nothing else, and outlives all of it`,
      async () => {
        const port = await findFreePort()
        const url = `http://127.0.0.1:${port}`
        const responses: (readonly [number, string])[] = []
        const meet = async () => {
          responses.push(await sendChallenge(url))
          responses.push(await sendChallenge(url, { secret: FOREIGN_SECRET }))
          responses.push(await sendChallenge(url, { body: CHALLENGE.replace('moon', 'sun') }))
          responses.push(await sendChallenge(url, { sentAt: Date.now() - 3_600_000 }))
          for (const request of HOSTILE_REQUESTS) await sendAndBreakOff(port, request)
          responses.push(await sendChallenge(url, { signed: 'no JSON' }))
          responses.push(await sendChallenge(url))
        }
        const env = { PORT: String(port), SECRET }
        const { output, fault } = await runProgram(receiver, { url: server.url }, { env, meet })
        expect(fault, output).toBeNull()
        const refused = [401, '']
        expect(responses, output).toEqual([[200, 'moon'], refused, refused, refused, [400, ''], [200, 'moon']])
      },
    )
  }
})

/** Creates a key with the scopes that a program names, or no key if the program names no scopes. */
async function makeKey({ scopes }: Program): Promise<string | undefined> {
  return scopes.length === 0 ? undefined : await market.makeKey(scopes)
}

/** Returns whether a program continues after its stream ends, unlike curl. */
function isStreamReader({ code, language, until }: Program): boolean {
  return until !== null && language !== 'bash' && /\/api\/events|\/ws\b/.test(code)
}

function isMissing({ language }: Program): boolean {
  const needed = NEEDS[language]
  return needed !== undefined && !isInstalled(needed)
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}
