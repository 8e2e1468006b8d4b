import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findChromium } from '../lib/programs/chromium.mjs'
import { hasRedis } from '../lib/programs/redis.mjs'
import { workspacePackages } from '../lib/project.mjs'
import { run } from '../lib/run.mjs'
import { linkProgramsExcept } from '../lib/tests/hidden-programs.mjs'
import { machineTests } from '../lib/tests/machine-tests.mjs'

const isEverywhere = /needs\('Linux'/

describe('the list of machine-dependent tests', () => {
  const folders = new Map(workspacePackages().map(({ folder, manifest }) => [manifest.name, folder]))

  it('names tests that exist', () => {
    const listed = Object.entries(machineTests).flatMap(([name, files]) =>
      files.map((file) => join(folders.get(name), file)),
    )
    expect(listed.filter((path) => !existsSync(path))).toEqual([])
    expect([...folders.keys()]).toEqual(expect.arrayContaining(Object.keys(machineTests)))
  })

  it('has every test that needs something of the machine', () => {
    const unlisted = [...folders].flatMap(([name, folder]) =>
      globSync('test/**/*.test.ts', { cwd: folder }).filter((file) => {
        const files = machineTests[name]
        return needsSomething(join(folder, file)) && !(files && (files.length === 0 || files.includes(file)))
      }),
    )
    expect(unlisted).toEqual([])
  })
})

function needsSomething(path) {
  const code = readFileSync(path, 'utf8')
  return /needs\(|skipLacking\(/.test(code) && !isEverywhere.test(code)
}

describe('a PATH without some programs', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'papermoon-programs-'))
    linkProgramsExcept(/^(redis-.*|chromium.*|google-chrome.*)$/, folder)
    vi.stubEnv('PATH', folder)
    vi.stubEnv('CHROMIUM_PATH', '')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  it('runs the others', () => {
    expect(execFileSync('node', ['--version'], { encoding: 'utf8' })).toMatch(/^v\d/)
  })

  it.skipIf(process.platform !== 'linux')('hides them from those who look', () => {
    expect(hasRedis()).toBe(false)
    expect(findChromium()).toBeUndefined()
  })
})

describe('run', () => {
  it('ends a program, and what it started, that takes too long', async () => {
    // Our end of the pipe closes only after the inner sleep has ended too.
    const { code, isLate } = await run('sh', ['-c', 'sleep 600 & sleep 600'], { isQuiet: true, timeoutMs: 500 })
    expect(isLate).toBe(true)
    expect(code).not.toBe(0)
  })

  it('shows and returns what a program says', async () => {
    const { code, output, isLate } = await run('sh', ['-c', 'echo out; echo err >&2'], { isTeed: true })
    expect({ code, isLate }).toEqual({ code: 0, isLate: false })
    expect(output).toContain('out\n')
    expect(output).toContain('err\n')
  })

  it('answers 127 for a program that is not there', async () => {
    expect(await run('papermoon-has-no-such-program', [])).toMatchObject({ code: 127 })
  })
})
