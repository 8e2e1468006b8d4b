import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDataDir } from '../support/data-folder.ts'
import { readAddress, type ServerProcess, startServer } from '../support/server-process.ts'
import { registration } from '../support/test-server.ts'

const data = createDataDir()
let running: ServerProcess
let url: string
beforeAll(async () => {
  running = startServer({ DATA_DIR: data.path })
  url = readAddress(await running.ready)
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended
  data.remove()
})

async function post(path: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

describe('the server', () => {
  it('writes no reset code if its output is not a terminal', async () => {
    await post('/api/auth/register', registration('forgetful'))
    const { email } = registration('forgetful')
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify({ email }) }
    const answer = await fetch(`${url}/api/auth/forgot-password`, sent)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('npm run admin -- reset-code') })
    running.child.kill('SIGTERM')
    const { stdout, stderr } = await running.ended
    expect(stdout).toBe(`Papermoon is at ${url}\n`)
    expect(stderr).not.toMatch(/reset code|forgetful/)
    running = startServer({ DATA_DIR: data.path })
    url = readAddress(await running.ready)
  })

  it('stops cleanly, even after several signals, and finds its data again', async () => {
    expect(await post('/api/auth/register', registration('returner'))).toBe(201)
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) running.child.kill(signal)
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
    expect(existsSync(join(data.path, 'postgres/data/postmaster.pid'))).toBe(false)
    running = startServer({ DATA_DIR: data.path })
    url = readAddress(await running.ready)
    const { email, password } = registration('returner')
    expect(await post('/api/auth/login', { email, password })).toBe(200)
  })

  it('leaves no incomplete data if it is stopped during its first start', async () => {
    const other = createDataDir()
    const early = startServer({ DATA_DIR: other.path })
    await expect.poll(() => existsSync(join(other.path, 'postgres')), { timeout: 60_000 }).toBe(true)
    early.child.kill('SIGTERM')
    const { code, stdout, stderr } = await early.ended
    expect([code, stdout, stderr]).toEqual([0, '', ''])
    expect(existsSync(join(other.path, 'postgres/data/postmaster.pid'))).toBe(false)
    const again = startServer({ DATA_DIR: other.path })
    expect(readAddress(await again.ready)).toContain('http://localhost:')
    again.child.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
    other.remove()
  })

  it('serves once its waited-for pages are built, and exits if the build fails', async () => {
    const other = createDataDir()
    const built = startServer({ DATA_DIR: other.path }, ['--after-build'])
    built.child.send('built')
    expect(readAddress(await built.ready)).toContain('http://localhost:')
    built.child.kill('SIGTERM')
    expect((await built.ended).code).toBe(0)
    const broken = startServer({ DATA_DIR: other.path }, ['--after-build'])
    broken.child.send('not built')
    expect(await broken.ended).toEqual({ code: 1, stdout: '', stderr: '' })
    const stopped = startServer({ DATA_DIR: other.path }, ['--after-build'])
    await expect
      .poll(() => existsSync(join(other.path, 'postgres/data/postmaster.pid')), { timeout: 60_000 })
      .toBe(true)
    stopped.child.kill('SIGTERM')
    expect(await stopped.ended).toEqual({ code: 0, stdout: '', stderr: '' })
    other.remove()
  })

  it('exits when its parent process has ended', async () => {
    running.child.disconnect()
    expect((await running.ended).code).toBe(0)
    running = startServer({ DATA_DIR: data.path })
    url = readAddress(await running.ready)
  })
})
