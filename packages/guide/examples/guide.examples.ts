import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Server, startServer } from '@papermoon/api/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../src/guide.ts'
import { listPrograms, type Program } from '../src/list-programs.ts'
import { keepTrading, type Market } from './market.ts'
import { runProgram } from './run-program.ts'

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
})

function isMissing({ language }: Program): boolean {
  const needed = NEEDS[language]
  return needed !== undefined && !isInstalled(needed)
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}
