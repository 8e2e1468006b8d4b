import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, startServer } from '@papermoon/api/testing'
import { skipLacking } from '@papermoon/db/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPapermoonClient } from '../src/index.ts'
import { readScopes } from './read-scopes.ts'
import { isWithoutRegistry, ROOT, run } from './run-program.ts'

const SOURCE = join(ROOT, 'clients/python')
const README = readFileSync(join(SOURCE, 'README.md'), 'utf8')
/** The packages that building and running requires, in a folder that later runs find again. */
const TOOLS = ['httpx==0.28.1', 'setuptools==84.0.0']
const VENV = join(ROOT, 'node_modules/.cache/python-client')
const PYTHON = join(VENV, 'bin/python')

let server: Server
let folder: string
let lacking: string | null = null
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'papermoon-python-'))
  const [started] = await Promise.all([startServer({ WEBHOOK_NETWORKS: '127.0.0.0/8' }), installWheel()])
  server = started
  env = { PATH: process.env.PATH, PYTHONPATH: join(folder, 'site'), PAPERMOON_URL: server.url }
  // The timeout is long, because this installs packages on a machine that may be busy.
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.remove()
})
beforeEach((context) => {
  if (lacking !== null) skipLacking(context, lacking)
})

/**
 * Builds the wheel from a copy, because setuptools writes into the source folder, and installs the wheel in another
 * folder.
 */
async function installWheel(): Promise<void> {
  lacking = await provideTools()
  if (lacking !== null) return
  cpSync(SOURCE, join(folder, 'source'), { recursive: true })
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet']
  await run(PYTHON, [...pip, 'wheel', '--no-deps', '--no-build-isolation', '-w', folder, './source'], { cwd: folder })
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const wheel = `papermoon-${version}-py3-none-any.whl`
  await run(PYTHON, [...pip, 'install', '--no-deps', '--no-index', '--target', 'site', wheel], { cwd: folder })
}

/** Returns what the machine lacks, or null if everything is there. */
async function provideTools(): Promise<string | null> {
  const isNew = 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))'
  const options = { cwd: folder }
  const hasPython = await run('python3', ['-c', isNew], options).then(
    () => true,
    () => false,
  )
  if (!hasPython) return 'Python 3.11 with venv and ensurepip'
  if (existsSync(join(VENV, '.complete'))) return null
  try {
    await run('python3', ['-m', 'venv', '--clear', VENV], options)
    await run(PYTHON, ['-m', 'pip', '--quiet', '--retries', '1', 'install', ...TOOLS], options)
    writeFileSync(join(VENV, '.complete'), '')
    return null
  } catch (error) {
    if (isWithoutRegistry(error) || /No matching distribution|ConnectionError|NewConnectionError/.test(String(error))) {
      return 'a Python package index'
    }
    throw error
  }
}

it('the Python package passes its tests against the server', async () => {
  const { api, close } = createPapermoonClient({ url: server.url })
  const player = { username: 'python', email: 'python@papermoon.example', wallet: 'wallet', password: 'secret-1' }
  await api.auth.register.mutate(player)
  const scopes = readScopes(README)
  const { key: named } = await api.keys.create.mutate({ name: 'as the README says', scopes })
  const { key: talking } = await api.keys.create.mutate({ name: 'talking', scopes: [...scopes, 'talk'] })
  await close()
  cpSync(join(SOURCE, 'tests'), join(folder, 'tests'), { recursive: true })
  const tests = ['-m', 'unittest', 'discover', '-s', 'tests']
  await run(PYTHON, tests, { cwd: folder, env: { ...env, PAPERMOON_KEY: talking } })
  env.PAPERMOON_KEY = named
  expect(await runReadme()).toMatch(/^bought: \d+\.\d+ MOON, /m)
})

it('the README’s bot trades', async () => {
  const { PAPERMOON_KEY: _, ...keyless } = env
  expect(await runReadme(keyless)).toMatch(/^bought: \d+\.\d+ MOON, 98\.98 SOL left$/m)
})

async function runReadme(environment = env): Promise<string> {
  const [, code = ''] = /<!-- run -->\n\n```python\n(.*?)```/s.exec(README) ?? []
  writeFileSync(join(folder, 'readme.py'), code)
  return await run(PYTHON, ['readme.py'], { cwd: folder, env: environment })
}

it('the Python types match the OpenAPI document', async () => {
  await run(PYTHON, [join(SOURCE, 'generate_types.py'), `${server.url}/api/openapi.json`, '--check'], { cwd: folder })
})
