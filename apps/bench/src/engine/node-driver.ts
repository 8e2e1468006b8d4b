import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLedEngine, type LedEngine } from '@papermoon/engine'
import { driveOnDemand } from './drive-on-demand.ts'
import { log, openEngine } from './open-engine.ts'

const LINKED_WITHIN_MS = 20_000

const socketFolder = mkdtempSync(join(tmpdir(), 'papermoon-bench-'))
process.on('exit', () => rmSync(socketFolder, { recursive: true, force: true }))

/** The trading engine of one of several nodes in a separate process: it leads, or forwards its orders to the one that does. */
driveOnDemand((address) => {
  let engine: LedEngine | null = null
  const { trade } = openEngine(
    address,
    (events) => engine?.publish(events),
    (own, pool) => {
      engine = createLedEngine({
        own,
        pool,
        secret: createHash('sha256').update('nodes of a bench').digest(),
        log,
        listen: { host: '127.0.0.1', port: 0 },
        address: null,
        socketFolder,
        receive: () => {},
      })
      return engine
    },
  )
  const ready = engine === null ? Promise.resolve() : joinLead(engine)
  return async (order) => {
    await ready
    return await trade(order)
  }
})

async function joinLead(engine: LedEngine): Promise<void> {
  await engine.start()
  const giveUpMs = performance.now() + LINKED_WITHIN_MS
  while (!engine.getFigures().isLeading && !engine.getFigures().isLinked) {
    if (performance.now() > giveUpMs) throw new Error('a node found no leader')
    await sleep(20)
  }
}
