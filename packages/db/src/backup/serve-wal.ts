import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildUser } from '../embedded/child-user.ts'
import { giveTo } from '../embedded/init-cluster.ts'

const LOOK_EVERY_MS = 20
/** PostgreSQL's shell looks this often, and gives up after this many looks. */
const SHELL_EVERY_S = 0.05
const SHELL_LOOKS_MAX = 36_000
/** Segments that are fetched before PostgreSQL asks for them. */
const AHEAD = 4

/** Where the WAL of a backup is. */
export interface WalSource {
  /** Names of all its files, sorted. */
  readonly names: readonly string[]
  /** The next file, if it is lost: then the WAL ends before it should. */
  readonly missing: string | null
  /** One whole segment. */
  read(name: string): Promise<Buffer>
}

export interface WalServer {
  /** PostgreSQL's `restore_command`. */
  readonly command: string
  /** Throws what kept a file from being read. */
  throwIfFailed(): void
  close(): Promise<void>
}

/**
 * Hands WAL to a recovering PostgreSQL through files in `folder`: its shell writes `NAME.wanted` and waits for `NAME.ready` or
 * `NAME.none`. So neither keys nor networks are known to PostgreSQL, and the disk holds a few segments at a time. When a file
 * cannot be read, PostgreSQL is made to end instead of going on without it.
 */
export function serveWal(folder: string, user: ChildUser | undefined, source: WalSource): WalServer {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  giveTo(user, folder)
  const fetched = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let failure: unknown
  const fetch = async (name: string): Promise<void> => {
    const draft = join(folder, `${name}.draft`)
    await writeFile(draft, await source.read(name), { mode: 0o600 })
    giveTo(user, draft)
    renameSync(draft, join(folder, `${name}.ready`))
  }
  const answer = async (name: string): Promise<void> => {
    const at = source.names.indexOf(name)
    if (at < 0) return writeFileSync(join(folder, `${name}.none`), '', { mode: 0o644 })
    const isAhead = fetched.has(name)
    for (const next of source.names.slice(at, at + 1 + AHEAD)) {
      if (!fetched.has(next)) fetched.set(next, fetch(next))
      // Only the wanted one is waited for.
      fetched.get(next)?.catch(() => {})
    }
    await fetched.get(name)
    fetched.delete(name)
    // PostgreSQL reads its last segment twice. The first read may have found the file before its request was seen here, so
    // that this one request stands for both.
    if (isAhead && !existsSync(join(folder, `${name}.ready`))) await fetch(name)
  }
  const serving = (async () => {
    while (!stopping.signal.aborted) {
      for (const file of readdirSync(folder).filter((found) => found.endsWith('.wanted'))) {
        rmSync(join(folder, file))
        await answer(file.slice(0, -'.wanted'.length))
      }
      await sleep(LOOK_EVERY_MS)
    }
  })().catch((error: unknown) => {
    failure = error
    writeFileSync(join(folder, 'failed'), '', { mode: 0o644 })
  })
  return {
    command: formatCommand(folder),
    throwIfFailed: () => {
      if (failure !== undefined) throw failure
    },
    close: async () => {
      stopping.abort()
      await serving
      await Promise.allSettled(fetched.values())
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An exit code above 125 ends the recovery; 1 says that there is no such file. */
function formatCommand(folder: string): string {
  const place = `'${folder.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  return [
    `d=${place}; n=0; : > "$d/%f.wanted" || exit 200`,
    `while [ ! -e "$d/%f.ready" ] && [ ! -e "$d/%f.none" ]; do [ -e "$d/failed" ] && exit 200`,
    `n=$((n+1)); [ $n -gt ${SHELL_LOOKS_MAX} ] && exit 200; sleep ${SHELL_EVERY_S}; done`,
    `rm -f "$d/%f.none"; [ -e "$d/%f.ready" ] || exit 1; mv "$d/%f.ready" "%p" || exit 200`,
  ].join('; ')
}
