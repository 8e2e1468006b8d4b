import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '@papermoon/db'

/** `before`: PostgreSQL does not get the commit. */
type Loss = 'before' | 'cut' | 'silence'

/** Text in a message that commits: the name of a write statement, or the end of a transaction. */
type Commit = 'write-one' | 'write-many' | 'commit' | 'any'
const ANY = ['write-one', 'write-many', 'commit']

/** A proxy in front of PostgreSQL that loses the answer to a commit, as a broken network does. */
export interface CuttingProxy {
  readonly address: DatabaseAddress
  /**
   * Loses the answer to the next commit: PostgreSQL gets the commit (unless it is lost before), the client a cut connection or
   * silence. Resolves when the commit passes.
   */
  loseNextAnswer(to: Commit, how: Loss): Promise<void>
  /** Cuts all connections; later ones lead to another server. */
  moveTo(target: DatabaseAddress): void
  /** Loses nothing more. */
  mend(): void
  close(): void
}

export async function startCuttingProxy(first: DatabaseAddress): Promise<CuttingProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'cut-'))
  let target = first
  let armed: { readonly to: Commit; readonly how: Loss; readonly onPassed: () => void } | null = null
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = dial(target)
    open.add(client).add(upstream)
    let loss: Loss | null = null
    client.on('data', (data) => {
      if (armed !== null && (armed.to === 'any' ? ANY : [armed.to]).some((text) => data.includes(text))) {
        loss = armed.how
        armed.onPassed()
        armed = null
        if (loss === 'before') return client.destroy()
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (loss === null) client.write(data)
      else if (loss === 'cut') client.destroy()
    })
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve))
  const address =
    'connectionString' in first ? throughFolder(first.connectionString, folder) : { ...first, host: folder, port: 5432 }
  return {
    address,
    loseNextAnswer: (to, how) =>
      new Promise((resolve) => {
        armed = { to, how, onPassed: resolve }
      }),
    mend: () => {
      armed = null
    },
    moveTo: (next) => {
      target = next
      for (const socket of open) socket.destroy()
    },
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function dial(target: DatabaseAddress): Socket {
  if ('connectionString' in target) {
    const url = new URL(target.connectionString)
    return connect(Number(url.port || 5432), url.hostname)
  }
  return target.host.startsWith('/')
    ? connect(join(target.host, `.s.PGSQL.${target.port}`))
    : connect(target.port, target.host)
}

function throughFolder(connectionString: string, folder: string): DatabaseAddress {
  const url = new URL(connectionString)
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return { host: folder, port: 5432, user, password, database: url.pathname.slice(1) }
}
