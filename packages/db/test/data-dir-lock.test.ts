import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acquireDataDirLock } from '../src/data-dir-lock.ts'
import { DataDirInUseError } from '../src/errors.ts'
import { type FixtureProcess, spawnFixture } from './fixtures/spawn-fixture.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

function spawnClaimant(folder: string): FixtureProcess {
  const claimant = spawnFixture('lock-process.ts', folder)
  onTestFinished(async () => {
    claimant.child.kill('SIGKILL')
    await claimant.ended
  })
  return claimant
}

describe('acquireDataDirLock', () => {
  it('rejects a second process with one sentence that names the folder and the first process', async () => {
    const folder = temporaryFolder()
    const first = spawnClaimant(folder)
    await first.line()
    expect(() => acquireDataDirLock(folder)).toThrow(
      `Papermoon already runs on the data folder ${folder} (process ${first.child.pid}); stop it first, or set another DATA_DIR.`,
    )
  })

  it('rejects a second claim within one process', () => {
    const folder = temporaryFolder()
    const lock = acquireDataDirLock(folder)
    onTestFinished(() => lock.release())
    expect(() => acquireDataDirLock(folder)).toThrow(DataDirInUseError)
  })

  it('can be claimed again after a release', () => {
    const folder = temporaryFolder()
    acquireDataDirLock(folder).release()
    acquireDataDirLock(folder).release()
    expect(readdirSync(join(folder, 'in-use-by'))).toEqual([])
  })

  it('takes over from a killed process', async () => {
    const folder = temporaryFolder()
    const first = spawnClaimant(folder)
    expect(await first.line()).toEqual({ held: true })
    first.child.kill('SIGKILL')
    await first.ended
    acquireDataDirLock(folder).release()
  })

  it('does not mistake a living process for a dead one with the same pid', () => {
    const folder = temporaryFolder()
    acquireDataDirLock(folder).release()
    writeFileSync(join(folder, 'in-use-by', `${process.ppid}.earlier-boot-123`), 'holding')
    acquireDataDirLock(folder).release()
  })

  it('is granted to exactly one of eight processes that start together', async () => {
    const folder = temporaryFolder()
    const claimants = Array.from({ length: 8 }, () => spawnClaimant(folder))
    const answers = await Promise.all(claimants.map((claimant) => claimant.line()))
    expect(answers.filter((answer) => answer.held)).toHaveLength(1)
  })
})
