import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { LoadError } from './arguments.ts'
import { Player, RefusedError } from './player.ts'

/** Max number of concurrent registrations. For each registration, the server must compute a password hash. */
const CONCURRENCY = 4

interface OpenOptions {
  readonly url: string
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

/** Registers players. Throws `LoadError` if the server rejects a registration. */
export async function registerPlayers(count: number, options: OpenOptions): Promise<Player[]> {
  const run = randomUUID().slice(0, 8)
  return await openEach(count, options, (index) =>
    Player.register(options.url, `load-${run}-${index + 1}`, options.signal),
  )
}

/** Opens the accounts for a file with API keys. Throws `LoadError` if other users can read the file. */
export async function openPlayers(file: string, count: number, options: OpenOptions): Promise<Player[]> {
  const keys = parseKeys(await readPrivateFile(file))
  if (keys.length < count) {
    throw new LoadError(
      `${file} has ${keys.length} keys; ${count} players need as many. Please say --players ${keys.length}.`,
    )
  }
  return await openEach(count, options, (index) =>
    Player.open(options.url, { authorization: `Bearer ${keys[index]}` }, options.signal),
  )
}

async function readPrivateFile(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new LoadError(`${path} cannot be read (${error.code}).`)
  })
  if ((found.mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new LoadError(`${path} holds keys, and others may read it. Please run: chmod 600 ${path}`)
  }
  return await readFile(path, 'utf8')
}

/**
 * Parses keys from `[{ key }]`, as `npm run admin -- bots create FILE --json` prints them, or from one key per line.
 */
export function parseKeys(text: string): string[] {
  if (!text.trimStart().startsWith('[')) {
    const lines = text.split('\n').map((line) => line.trim())
    return lines.filter((line) => line !== '').map(assertKey)
  }
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    // Do not show JSON.parse's error, because it quotes the text, and the text contains keys.
    throw new LoadError('The file of keys is not JSON.')
  }
  return (entries as unknown[]).map((entry, index) => assertKey((Object(entry) as { key?: unknown }).key, index))
}

function assertKey(key: unknown, index: number): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw new LoadError(`Entry ${index + 1} of the file of keys has no API key.`)
}

async function openEach(
  count: number,
  { signal, onProgress }: OpenOptions,
  open: (index: number) => Promise<Player>,
): Promise<Player[]> {
  const opened: Player[] = []
  let next = 0
  const work = async () => {
    while (next < count && !signal.aborted) {
      opened.push(await open(next++))
      onProgress(opened.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  } catch (error) {
    next = count
    if (!signal.aborted) throw new LoadError(describeFailure(error, opened.length))
  }
  return opened
}

function describeFailure(error: unknown, count: number): string {
  const { message, code } = error instanceof RefusedError ? error : { message: String(error), code: null }
  if (code === 'RATE_LIMITED' || code === 'PROOF_OF_WORK_NEEDED') {
    return `The server let ${count} players register and no more: it limits how many one address may. Please start it with RATE_LIMIT=off, ask for fewer players, or pass --keys FILE with keys made by: npm run admin -- bots create FILE --json`
  }
  return `Only ${count} players could log in: ${message}`
}
