import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getJson, registerPlayer } from '../chaos/support/rest-player.ts'
import { createDataDir } from '../support/data-folder.ts'
import { runProgram } from '../support/run-command.ts'
import { readAddress, type ServerProcess, startServer } from '../support/server-process.ts'

const dataDir = createDataDir()
const settings = { DATA_DIR: dataDir.path, RATE_LIMIT: 'off' }
let server: ServerProcess
let url: string

async function start(): Promise<void> {
  server = startServer(settings)
  url = readAddress(await server.ready).replace('localhost', '127.0.0.1')
}
async function stop(): Promise<void> {
  server.child.kill('SIGTERM')
  await server.ended
}
beforeAll(start)
afterAll(async () => {
  await stop()
  dataDir.remove()
})

/** Returns what processes have written about their use of the data folder. */
function claims(): string[] {
  const folder = join(dataDir.path, 'in-use-by')
  return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
}

it('every command works while a server with an embedded database runs, and while none runs', async () => {
  const player = await registerPlayer(url)
  const id = await player.launch('Offline')
  expect((await runProgram(['audit'], settings)).stdout).toMatch(/every sum is exact\n$/)
  await stop()
  expect((await runProgram(['audit'], settings)).stdout).toMatch(/every sum is exact\n$/)
  expect((await runProgram(['admin', 'warn', String(player.id), 'While you were away.'], settings)).code).toBe(0)
  await start()
  const user = await fetch(`${url}/api/auth/user`, { headers: { cookie: player.cookie } })
  expect(await user.json()).toMatchObject({ warning: 'While you were away.' })
  expect(await getJson(`${url}/api/tokens/${id}`)).toMatchObject({ name: 'Offline' })
})

it('a command waits for a starting server', async () => {
  await stop()
  const starting = start()
  // Wait until the server holds the data folder. If the command came first, the server would have to wait for it.
  await expect.poll(claims, { timeout: 120_000, interval: 100 }).toEqual(['holding'])
  expect(await runProgram(['admin', 'unhide', '2000000000'], settings)).toMatchObject({
    code: 2,
    stderr: 'There is no token 2000000000.\n',
  })
  await starting
})
