import { randomUUID } from 'node:crypto'
import { createPapermoonClient } from '@papermoon/client'
import PQueue from 'p-queue'
import { readPrivateFile } from '../house/house-config.ts'
import { type Failure, toFailure } from '../lib/failure.ts'
import { Trader } from '../orders/trader.ts'
import { LoadError } from './load-error.ts'

/** Registrations at a time: each costs the server a password hash. */
const CONCURRENCY = 4

interface OpenOptions {
  readonly url: string
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

/** Registers players, as anybody does. Throws `LoadError` if the server does not take so many. */
export async function registerPlayers(count: number, options: OpenOptions): Promise<Trader[]> {
  const run = randomUUID().slice(0, 8)
  return await openEach(count, options, async (index) => {
    const username = `load-${run}-${index + 1}`
    const client = createPapermoonClient({ url: options.url })
    const email = `${username}@load.example`
    const player = { username, email, wallet: 'none', password: randomUUID() }
    await client.api.auth.register.mutate(player, { signal: options.signal })
    return await Trader.open(username, client, options.signal)
  })
}

/** Opens the accounts of a file with API keys. Throws `LoadError` and `ConfigError`. */
export async function openPlayers(file: string, count: number, options: OpenOptions): Promise<Trader[]> {
  const keys = parseKeys(await readPrivateFile(file))
  if (keys.length < count) {
    throw new LoadError(
      `${file} has ${keys.length} keys; ${count} players need as many. Please say --players ${keys.length}.`,
    )
  }
  return await openEach(count, options, async (index) => {
    const { name, key } = keys[index] as NamedKey
    return await Trader.open(name, createPapermoonClient({ url: options.url, apiKey: key }), options.signal)
  })
}

interface NamedKey {
  readonly name: string
  readonly key: string
}

/** Reads `[{ name, key }]`, as `npm run admin -- bots create FILE --json` prints it, or a key a line. */
export function parseKeys(text: string): NamedKey[] {
  if (!text.trimStart().startsWith('[')) {
    const keys = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    return keys.map((key, index) => ({ name: `player ${index + 1}`, key: assertKey(key, index) }))
  }
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    // The error of JSON.parse quotes the text, which holds keys.
    throw new LoadError('The file of keys is not JSON.')
  }
  return (entries as unknown[]).map((entry, index) => {
    const { name, key } = Object(entry) as Record<string, unknown>
    return { name: typeof name === 'string' ? name : `player ${index + 1}`, key: assertKey(key, index) }
  })
}

function assertKey(key: unknown, index: number): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw new LoadError(`Entry ${index + 1} of the file of keys has no API key.`)
}

async function openEach(
  count: number,
  { signal, onProgress }: OpenOptions,
  open: (index: number) => Promise<Trader>,
): Promise<Trader[]> {
  const queue = new PQueue({ concurrency: CONCURRENCY })
  const opened: Trader[] = []
  const tasks = Array.from({ length: count }, (_, index) => async () => {
    if (signal.aborted) return
    opened.push(await open(index))
    onProgress(opened.length)
  })
  try {
    await queue.addAll(tasks)
  } catch (error) {
    queue.clear()
    if (signal.aborted) return opened
    throw new LoadError(describeOpenFailure(toFailure(error), opened.length))
  }
  return opened
}

function describeOpenFailure({ reason, message }: Failure, count: number): string {
  if (reason === 'RATE_LIMITED' || reason === 'PROOF_OF_WORK_NEEDED') {
    return `The server let ${count} players register and no more: it limits how many one address may. Please start it with RATE_LIMIT=off, ask for fewer players, or pass --keys FILE with keys made by: npm run admin -- bots create FILE --json`
  }
  return `Only ${count} players could sign in: ${message}`
}
