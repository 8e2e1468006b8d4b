import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { type Server, startServer } from '@papermoon/api/testing'
import { skipLacking } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPapermoonClient } from '../src/index.ts'
import { readScopes } from './read-scopes.ts'
import { findNode, ROOT, run } from './run-program.ts'

const PACKAGES = ['client', 'amm', 'chain']
const PACKED = [...PACKAGES, 'mcp']
const SIZE_MAX = { client: 20_000, amm: 6_000, chain: 1_000 }

let server: Server
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'papermoon-packed-'))
  const [started] = await Promise.all([startServer(), installPacked()])
  server = started
  // The timeout is long, because this installs packages on a machine that may be busy.
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.remove()
})

/**
 * Packs each package as its README says, with the oldest Node. Unpacks it in an empty folder, with the dependencies
 * that this repository has installed.
 */
async function installPacked(): Promise<void> {
  const node = (await findNode(20)) ?? process.execPath
  const options = { cwd: ROOT, env: { ...process.env, PACK_DESTINATION: folder } }
  await Promise.all(PACKED.map((name) => run(node, ['scripts/tool.mjs', 'pack', name], options)))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  expect(files).toHaveLength(PACKED.length)
  for (const name of PACKED) {
    const file = files.find((it) => it.startsWith(`papermoon-${name}-`)) ?? ''
    mkdirSync(installed(name), { recursive: true })
    await run('tar', ['-xzf', file, '--strip-components=1', '-C', installed(name)], { cwd: folder })
    const { dependencies = {} } = JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8'))
    for (const wanted of Object.keys(dependencies)) {
      const link = join(folder, 'node_modules', wanted)
      mkdirSync(dirname(link), { recursive: true })
      if (!existsSync(link)) symlinkSync(realpathSync(join(ROOT, 'packages', name, 'node_modules', wanted)), link)
    }
  }
}

/** Writes the README's code block that is marked to be run. */
function writeReadme(name: string): string {
  const readme = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')
  const [, code] = /<!-- run -->\n\n```js\n(.*?)```/s.exec(readme) ?? []
  if (code === undefined) throw new Error(`The README of ${name} has no block that runs.`)
  expect(code.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(30)
  writeFileSync(join(folder, `${name}.js`), code)
  return code
}

/** Creates a player and an API key with the scopes that the client's README names. */
async function makeKey(username: string): Promise<string> {
  const { api, close } = createPapermoonClient({ url: server.url })
  const secrets = { email: `${username}@bots.example`, wallet: username, password: crypto.randomUUID() }
  await api.auth.register.mutate({ username, ...secrets })
  const scopes = readScopes(readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8'))
  const { key } = await api.keys.create.mutate({ name: 'readme', scopes })
  await close()
  return key
}

const installed = (name: string) => join(folder, 'node_modules/@papermoon', name)

/** Returns the names of the tools that the MCP server lists. */
async function listTools(node: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const child = spawn(node, [join(installed('mcp'), 'main.js')], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const calls = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ]
  for (const message of calls) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  try {
    for await (const line of createInterface(child.stdout)) {
      const { id, result } = JSON.parse(line)
      if (id === 2) return result.tools.map(({ name }: { name: string }) => name)
    }
    throw new Error('the MCP server ended')
  } finally {
    child.kill()
  }
}

describe.each([20, 22, 24])('the packed packages on Node %i', (major) => {
  it('do what their READMEs say', async (context) => {
    const node = await findNode(major)
    if (node === null) return skipLacking(context, `Node ${major}`)
    const env = { PATH: process.env.PATH, PAPERMOON_URL: server.url, PAPERMOON_KEY: await makeKey(`node-${major}`) }
    const out: Record<string, string> = {}
    for (const name of PACKAGES) {
      writeReadme(name)
      out[name] = await run(node, [`${name}.js`], { cwd: folder, env })
    }
    expect(await listTools(node, env)).toEqual(expect.arrayContaining(['list_tokens', 'portfolio', 'buy']))
    expect(await run(node, ['--version'], { cwd: folder })).toMatch(new RegExp(`^v${major}\\.`))
    expect(out.client).toMatch(/^bought: \d+\.\d+ MOON, 9[89](\.\d+)? SOL left$/m)
    expect(out.client).toMatch(/^seen: \{$/m)
    expect(out.amm).toMatch(/^pays 2\.5 SOL \(fee 0\.0075\), gets \d+\.\d+ MOON$/m)
    expect(out.chain).toMatch(/^verified: [1-9]\d* entries, head [0-9a-f]{64}$/m)
  })
})

describe('the packed packages', () => {
  it.each(PACKAGES)('%s is small, and contains all that it imports', (name) => {
    const files = readdirSync(installed(name)).filter((file) => file.endsWith('.js'))
    const code = files.map((file) => readFileSync(join(installed(name), file), 'utf8'))
    const bytes = code.reduce((sum, text) => sum + gzipSync(text).length, 0)
    expect(bytes).toBeLessThanOrEqual(SIZE_MAX[name as keyof typeof SIZE_MAX])
    const manifest = JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8'))
    // Minified code has no space before a module's name, and comments in declarations use backticks.
    const ofCode = code.join('\n').matchAll(/(?:from|import)\(?["'`]([^."'`][^"'`]*)["'`]/g)
    const ofTypes = readDeclarations(name)
      .join('\n')
      .matchAll(/(?:from|import)\s*\(?["']([^."'][^"']*)["']/g)
    const imports = [...ofCode, ...ofTypes].map(([, from]) => from)
    expect(Object.keys(manifest.dependencies ?? {})).toEqual([...new Set(imports)])
    expect(manifest).not.toHaveProperty('private')
    expect(manifest).toMatchObject({ license: 'MIT', sideEffects: false, engines: { node: '>=20' } })
  })

  it('the client for browsers does not import from Node', () => {
    const files = readdirSync(installed('client')).filter((file) => file.endsWith('.js') && file !== 'node.js')
    for (const file of files) {
      const imports = [
        ...readFileSync(join(installed('client'), file), 'utf8').matchAll(/(?:from|import\()["'`]([^"'`]+)/g),
      ]
      for (const [, from] of imports) expect(from).toMatch(/^\.\//)
    }
  })

  it('have types that need neither the server nor a lenient compiler', async () => {
    writeFileSync(join(folder, 'client.ts'), writeReadme('client'))
    writeFileSync(join(folder, 'page.ts'), PAGE)
    const types = { typeRoots: [join(ROOT, 'packages/client/node_modules/@types')], types: ['node'] }
    await compile('node', { module: 'nodenext', lib: ['es2024'], ...types }, ['client.ts'])
    await compile('page', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }, [
      'page.ts',
    ])
  })

  it('the client has the same types as its source', async () => {
    writeFileSync(join(folder, 'same.ts'), SAME.replaceAll('SOURCE', join(ROOT, 'packages/client/src/index.ts')))
    const types = { typeRoots: [join(ROOT, 'packages/client/node_modules/@types')], types: ['node'] }
    const options = { module: 'nodenext', lib: ['es2024'], allowImportingTsExtensions: true, skipLibCheck: true }
    await compile('same', { ...options, ...types }, ['same.ts'])
  })
})

function readDeclarations(name: string): string[] {
  const files = readdirSync(installed(name)).filter((file) => file.endsWith('.d.ts'))
  return files.map((file) => readFileSync(join(installed(name), file), 'utf8'))
}

async function compile(name: string, options: object, files: string[]): Promise<void> {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2024', ...options }
  const path = join(folder, `tsconfig.${name}.json`)
  writeFileSync(path, JSON.stringify({ compilerOptions, files }))
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', path], { cwd: folder })
}

const PAGE = `
import { launchPool, parseSol, quoteBuy, type Tokens } from '@papermoon/amm'
import { findBreak } from '@papermoon/chain'
import { type AppOutputs, createPapermoonClient, isPapermoonError } from '@papermoon/client'

const { api } = createPapermoonClient({ url: location.origin, WebSocket })
const answer = api.tokens.get.query({ id: 1 })
export const token: Promise<AppOutputs['tokens']['get']> = answer
export const price: Promise<string> = answer.then(({ currentPrice }) => currentPrice)
export const reason = (error: unknown) => (isPapermoonError(error) ? error.data?.reason === 'BUSY' : false)
export const tokensOut: Tokens = quoteBuy(launchPool(), parseSol('1')).tokensOut
export const broken: Promise<number | null> = findBreak({ seq: 0, hash: '' }, [], (text) => text.length.toString(16))
// @ts-expect-error: an amount is text or a number
api.trading.buy.mutate({ tokenId: 1, solAmount: true })
// @ts-expect-error: there is no such procedure
api.trading.steal.mutate({ tokenId: 1 })
`

/**
 * Subscriptions are compared only as part of the client, because they return events here and iterables in the source.
 */
const SAME = `
import type * as Packed from '@papermoon/client'
import type * as Source from 'SOURCE'

type Api = Packed.PapermoonApi
type Live = {
  [Router in keyof Api]: [Extract<Api[Router][keyof Api[Router]], { subscribe: unknown }>] extends [never] ? never : Router
}[keyof Api]
declare const source: { client: Source.PapermoonClient; inputs: Source.AppInputs; outputs: Omit<Source.AppOutputs, Live>; data: Source.ErrorData; options: Source.ClientOptions }
declare const packed: { inputs: Packed.AppInputs; data: Packed.ErrorData; options: Packed.ClientOptions }
export const client: Packed.PapermoonClient = source.client
export const outputs: Omit<Packed.AppOutputs, Live> = source.outputs
export const inputs: [Packed.AppInputs, Source.AppInputs] = [source.inputs, packed.inputs]
export const data: [Packed.ErrorData, Source.ErrorData] = [source.data, packed.data]
export const options: [Packed.ClientOptions, Source.ClientOptions] = [source.options, packed.options]
export const procedures: Record<Exclude<keyof Source.PapermoonApi, symbol>, unknown> = {} as Packed.PapermoonApi
`
