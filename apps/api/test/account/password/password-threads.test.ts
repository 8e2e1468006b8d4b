import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ClosablePasswordHasher, createPasswordHasher } from '../../../src/features/account/password/passwords.ts'
import { quickHashes } from '../../support/test-server.ts'

let passwords: ClosablePasswordHasher
beforeEach(() => {
  passwords = createPasswordHasher(new Registry())
})
afterEach(async () => await passwords.close())

/** Returns the nice value of each thread of this process by thread id, from field 19 of proc_pid_stat(5). */
function readNiceness(): Map<string, number> {
  const threads = readdirSync('/proc/self/task').flatMap((id): [string, number][] => {
    try {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
      // The fields start after the name in brackets, which may contain anything.
      return [[id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])]]
    } catch {
      // The thread has ended since the folder was listed.
      return []
    }
  })
  return new Map(threads)
}

/** Returns a hasher with the real queue, whose hashes take no time. */
const createQuickHasher = () => createPasswordHasher(new Registry(), quickHashes)

describe('passwords', () => {
  it('match their own hash and no other', async () => {
    const hash = await passwords.hash('', 'Café-secret')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.fits('', 'Cafe\u0301-secret', hash)).toBe(true)
    expect(await passwords.fits('', 'Cafe-secret', hash)).toBe(false)
    expect(await passwords.fits('', 'Cafe-secret', undefined)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('are hashed at a low priority, which no other thread gets', async () => {
    const before = readNiceness()
    await passwords.hash('', 'secret')
    const after = [...readNiceness()]
    expect(after.filter(([id]) => !before.has(id)).map(([, niceness]) => niceness)).toContain(5)
    for (const [id, niceness] of after) expect([id, niceness]).toEqual([id, before.get(id) ?? niceness])
  })

  it('are hashed after an invalid hash made a check fail', async () => {
    await expect(passwords.fits('', 'secret', 'no hash')).rejects.toThrow('Decoding failed')
    expect(await passwords.fits('', 'secret', await passwords.hash('', 'secret'))).toBe(true)
  })

  it('are hashed under `node --watch`, whose threads send messages of their own', async () => {
    const script = fileURLToPath(new URL('hash-once.ts', import.meta.url))
    const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [output] = await once(child.stdout, 'data')
      expect(String(output)).toMatch(/^\$argon2id\$/)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('are rejected with a retry time if too many wait', async () => {
    const quick = createQuickHasher()
    const hashes = Array.from({ length: 100 }, () => quick.hash('', 'secret'))
    const refused = (await Promise.allSettled(hashes)).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused).toEqual(
      refused.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'BUSY' }) })),
    )
  })

  it('of other networks are hashed while one network fills its share of the queue', async () => {
    const quick = createQuickHasher()
    const flood = Promise.allSettled(Array.from({ length: 100 }, () => quick.hash('203.0.113.1', 'secret')))
    expect(await quick.hash('203.0.113.2', 'secret')).toMatch(/^\$argon2id/)
    expect((await flood).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(30)
  })

  it('stop waiting when the server closes', async () => {
    const hash = passwords.hash('', 'secret')
    await passwords.close()
    await expect(hash).rejects.toThrow('has ended')
  })
})
