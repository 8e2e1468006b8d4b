import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Server, startServer } from '@papermoon/api/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../src/guide.ts'
import { listPrograms, type Program } from '../src/list-programs.ts'
import { keepTrading, type Market } from './market.ts'
import { runProgram } from './run-program.ts'
import { CHALLENGE, FOREIGN_SECRET, findFreePort, SECRET, sendChallenge } from './send-challenge.ts'

/** What a machine needs to run a language's blocks. */
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
      const { output, fault } = await runProgram(program, { url, key: await market.makeKey() })
      expect(fault, output).toBeNull()
      if (program.prints !== null) expect(output).toMatch(new RegExp(program.prints))
    })
  }

  for (const bot of programs.filter(({ name }) => name.startsWith('bot '))) {
    it.skipIf(isMissing(bot))(`${bot.name}: prints what is refused, and goes on`, async () => {
      const key = await market.makeKey(['read'])
      const until = 'refused, .*trade[^]*refused, '
      const { output, fault } = await runProgram({ ...bot, until }, { url: server.url, key })
      expect(fault, output).toBeNull()
    })
  }

  for (const receiver of programs.filter(({ name }) => name.startsWith('webhooks '))) {
    it.skipIf(isMissing(receiver))(`${receiver.name}: believes what is signed and nothing else`, async () => {
      const port = await findFreePort()
      const url = `http://127.0.0.1:${port}`
      const answers: (readonly [number, string])[] = []
      const meet = async () => {
        answers.push(await sendChallenge(url))
        answers.push(await sendChallenge(url, { secret: FOREIGN_SECRET }))
        answers.push(await sendChallenge(url, { body: CHALLENGE.replace('moon', 'sun') }))
        answers.push(await sendChallenge(url, { sentAt: Date.now() - 3_600_000 }))
      }
      const env = { PORT: String(port), SECRET }
      const { output, fault } = await runProgram(receiver, { url: server.url }, { env, meet })
      expect(fault, output).toBeNull()
      const refused = [401, '']
      expect(answers, output).toEqual([[200, 'moon'], refused, refused, refused])
    })
  }
})

function isMissing({ language }: Program): boolean {
  const needed = NEEDS[language]
  return needed !== undefined && !isInstalled(needed)
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}
