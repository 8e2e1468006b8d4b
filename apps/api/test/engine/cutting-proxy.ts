import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '@papermoon/db'

/** A proxy before PostgreSQL that loses the answer to a commit, as a broken network does. */
export interface CuttingProxy {
  readonly address: DatabaseAddress
  /** The answer to the next commit is lost: PostgreSQL has it, the client never hears. */
  loseNextCommitAnswer(): void
  close(): void
}

export async function startCuttingProxy(target: DatabaseAddress): Promise<CuttingProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'cut-'))
  let armed = false
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = dial(target)
    open.add(client).add(upstream)
    let cut = false
    client.on('data', (data) => {
      if (armed && data.includes('commit')) {
        armed = false
        cut = true
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => (cut ? client.destroy() : client.write(data)))
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve))
  const address =
    'connectionString' in target
      ? throughFolder(target.connectionString, folder)
      : { ...target, host: folder, port: 5432 }
  return {
    address,
    loseNextCommitAnswer: () => {
      armed = true
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
