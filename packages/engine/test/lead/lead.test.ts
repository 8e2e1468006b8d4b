import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSol } from '@papermoon/amm'
import { connect, type DatabaseClient } from '@papermoon/db'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { DomainError } from '../../src/errors.ts'
import type { MarketEvent } from '../../src/events/market-events.ts'
import type { TokenId, UserId } from '../../src/ids.ts'
import { createNodeNetwork } from '../../src/lead/connections/node-network.ts'
import { assembleLedEngine, type LedEngine } from '../../src/lead/led-engine.ts'
import { aToken, balancedBooks, createTestMarket, readBooks, type TestMarket } from '../../src/testing/test-market.ts'
import { createTradingEngine, ENGINE_LIMITS, type TradingEngine } from '../../src/trading-engine.ts'
import { SLOWNESS, SlowLeaseStore, slowRuntime } from './slow-lead.ts'

let market: TestMarket
let players: UserId[]
let token: TokenId
let nodes: LedEngine[]
let databases: DatabaseClient[]
const secret = randomBytes(32)
const log = pino({ level: 'silent' })
const LOOPBACK = { host: '127.0.0.1', port: 0 }
/** Of an engine that another one may keep waiting while the machine stands still. */
const PATIENCE = { ...ENGINE_LIMITS, lockTimeoutMs: 20_000, waitMaxMs: 60_000 }

beforeEach(async () => {
  market = await createTestMarket()
  nodes = []
  databases = []
  players = await Promise.all(Array.from({ length: 8 }, () => market.addPlayer()))
  token = await market.launch(player(0))
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await Promise.all(databases.map((database) => database.close()))
  await market.close()
})

const player = (index: number): UserId => players[index % players.length] as UserId

interface Opened {
  readonly node: LedEngine
  /** Orders that its own engine was given. */
  readonly ran: { count: number }
  readonly received: MarketEvent[]
}

interface NodeOptions {
  readonly key?: Buffer
  readonly listen?: { readonly host: string; readonly port: number }
  readonly address?: string
  readonly socketFolder?: string
  readonly wrap?: (own: TradingEngine) => TradingEngine
}

async function openNode(options: NodeOptions = {}): Promise<Opened> {
  const ran = { count: 0 }
  const received: MarketEvent[] = []
  const database = connect(market.address, { poolMax: 6 })
  const engine = createTradingEngine({
    pool: database.pool,
    clock: systemClock,
    log,
    publish: (events) => node?.publish(events),
    limits: PATIENCE,
  })
  const own = (options.wrap ?? ((it) => it))(engine)
  const counted: TradingEngine = {
    submit: (order, delivery) => {
      ran.count++
      return own.submit(order, delivery && { ...delivery, notAfterMs: delivery.notAfterMs * SLOWNESS })
    },
    dryRun: (order) => own.dryRun(order),
    findPending: own.findPending.bind(own),
    close: () => own.close(),
  }
  let node: LedEngine | undefined
  const name = randomUUID()
  const { key = secret, listen = LOOPBACK, address = null, socketFolder = null } = options
  node = assembleLedEngine({
    node: name,
    own: counted,
    runtime: slowRuntime,
    network: createNodeNetwork({ node: name, secret: key, log, listen, address, socketFolder }),
    leaseStore: new SlowLeaseStore(database.pool, log),
    log,
    receive: (events) => received.push(...events),
  })
  nodes.push(node)
  await node.start()
  databases.push(database)
  return { node, ran, received }
}

const buy = (node: LedEngine, index: number, requestKey?: string) =>
  node.submit({ kind: 'buy', userId: player(index), tokenId: token, sol: parseSol('0.5'), requestKey })
const isLinked = (node: LedEngine) => expect.poll(() => node.getFigures().isLinked, { interval: 10 }).toBe(true)

/** Repeats an order that waited too long for its pool. */
async function untilNotBusy<T>(submit: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await submit()
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'BUSY') throw error
    }
  }
}

describe('two nodes on one database', () => {
  it('trade in the engine of one, and the other has the events before its answers', async () => {
    const leader = await openNode()
    const follower = await openNode()
    await isLinked(follower.node)
    expect(leader.node.getFigures()).toMatchObject({ isLeading: true, term: 1, followers: 1 })
    const before = follower.received.length
    const receipts = await Promise.all(
      players.map(async (_, i) => {
        const receipt = await buy(follower.node, i)
        expect(follower.received.map((event) => event.seq)).toContain(receipt.trade.seq)
        return receipt
      }),
    )
    expect(receipts.map(({ trade }) => trade.seq).sort()).toEqual(players.map((_, i) => i + 1).sort())
    expect(follower.received.length - before).toBe(players.length)
    expect(follower.ran.count).toBe(0)
    expect(leader.ran.count).toBe(players.length)
    expect(await readBooks(market)).toEqual(balancedBooks('800'))
  })

  it('forward launches, sales and rug pulls too, and the errors of rules with their code and sentence', async () => {
    const leader = await openNode()
    const { node } = await openNode()
    await isLinked(node)
    const userId = player(1)
    const { tokenId, initialTrade } = await node.submit({
      kind: 'launch',
      userId,
      token: aToken,
      initialBuy: parseSol('1'),
    })
    await expect(node.submit({ kind: 'rug', userId: player(2), tokenId })).rejects.toMatchObject({
      code: 'NOT_YOURS',
      message: 'Only the creator of a token can rug it.',
    })
    await expect(node.submit({ kind: 'buy', userId, tokenId, sol: parseSol('1000') })).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      message: 'Insufficient balance: you have 98.98 SOL and this needs 1000 SOL.',
    })
    expect(initialTrade?.solAmount).toBe('1')
    expect((await node.submit({ kind: 'rug', userId, tokenId })).ruggedAmount).toBe('0.997')
    expect(leader.ran.count).toBe(4)
  })

  it('give a repeat its first answer, whichever node has it first', async () => {
    const leader = await openNode()
    const follower = await openNode()
    await isLinked(follower.node)
    const answers = await Promise.all([
      buy(leader.node, 1, 'twice'),
      buy(follower.node, 1, 'twice'),
      buy(follower.node, 1, 'twice'),
    ])
    expect(new Set(answers.map(({ trade }) => trade.id)).size).toBe(1)
    await expect(
      follower.node.submit({ kind: 'buy', userId: player(1), tokenId: token, sol: parseSol('2'), requestKey: 'twice' }),
    ).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
  })

  it('refuse the ninth order of a player on the way', async () => {
    await openNode()
    const { node } = await openNode()
    await isLinked(node)
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => buy(node, 1)))
    const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
    expect(codes).toEqual(Array(4).fill('TOO_MANY_ORDERS'))
  })

  it('find an order under way on any of them until it is answered', async () => {
    const leader = await openNode()
    const followers = [await openNode(), await openNode()]
    for (const { node } of followers) await isLinked(node)
    const all = [leader, ...followers].map(({ node }) => node)
    const locker = await (databases[0] as DatabaseClient).pool.connect()
    for (const [i, node] of all.slice(0, 2).entries()) {
      const key = `held-${i}`
      await locker.query('begin')
      await locker.query('select from pools where token_id = $1 for update', [token])
      const order = untilNotBusy(() => buy(node, i, key))
      for (const asked of all) {
        await expect.poll(() => asked.findPending(player(i), key), { interval: 10 }).toBe('buy')
        expect(await asked.findPending(player(i + 1), key)).toBeNull()
      }
      await locker.query('rollback')
      expect((await order).trade.side).toBe('buy')
      for (const asked of all) expect(await asked.findPending(player(i), key)).toBeNull()
    }
    locker.release()
  })

  it('are busy rather than wrong where the leader does not say what it has under way', async () => {
    const leader = await openNode({
      wrap: (own) => ({
        submit: own.submit.bind(own),
        dryRun: own.dryRun.bind(own),
        findPending: () => new Promise(() => {}),
        close: () => own.close(),
      }),
    })
    const { node } = await openNode()
    await isLinked(node)
    await expect(node.findPending(player(1), 'any')).rejects.toMatchObject({ code: 'BUSY' })
    const cutOff = expect(node.findPending(player(1), 'any')).rejects.toMatchObject({ code: 'BUSY' })
    await leader.node.close()
    await cutOff
  })

  it('do not forward to a node with another secret', async () => {
    await openNode()
    const stranger = await openNode({ key: randomBytes(32) })
    await buy(stranger.node, 1)
    expect(stranger.node.getFigures().isLinked).toBe(false)
    expect(stranger.ran.count).toBe(1)
  })
})

describe('a leader that stops', () => {
  it('is replaced at once, and no order is refused', async () => {
    const leader = await openNode()
    const follower = await openNode()
    await isLinked(follower.node)
    let isOver = false
    let done = 0
    const trading = players.map(async (_, i) => {
      while (!isOver) {
        await buy(follower.node, i).then(
          () => done++,
          (error) => expect(error.code).toBe('INSUFFICIENT_BALANCE'),
        )
      }
    })
    await leader.node.close()
    await expect.poll(() => follower.node.getFigures().isLeading, { interval: 5 }).toBe(true)
    expect(follower.node.getFigures().term).toBe(2)
    isOver = true
    await Promise.all(trading)
    expect(done).toBeGreaterThan(0)
    expect(await readBooks(market)).toEqual(balancedBooks('800'))
  })
})

/** An own engine of the leader that holds answers back; `begun` resolves when it has one. */
function holdAnswers() {
  const { promise: begun, resolve: onBegun } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const wrap = (own: TradingEngine): TradingEngine => ({
    submit: async (order, delivery) => {
      if (delivery === undefined) return await own.submit(order)
      const receipt = await own.submit(order, delivery).finally(onBegun)
      await released
      return receipt
    },
    dryRun: (order) => own.dryRun(order),
    findPending: own.findPending.bind(own),
    close: () => own.close(),
  })
  return { wrap, begun, release }
}

describe('an order whose answer is lost', () => {
  it('is repeated by its key and trades once', async () => {
    const { wrap, begun, release } = holdAnswers()
    const leader = await openNode({ wrap })
    const follower = await openNode()
    await isLinked(follower.node)
    const order = buy(follower.node, 1)
    await begun
    const closing = leader.node.close()
    expect((await order).trade.seq).toBe(1)
    release()
    await closing
    expect(follower.node.getFigures().fallbacks.lost).toBe(1)
    const trades = await market.db.selectFrom('trades').select('id').execute()
    expect(trades).toHaveLength(1)
  })
})

describe('nodes of one machine', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'papermoon-lead-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  /** No node can call this. */
  const NOWHERE = '192.0.2.1:9'
  const findSocket = (): string => join(folder, readdirSync(folder)[0] ?? 'none')

  it('use a Unix socket that only their user can open, and remove it when they stop', async () => {
    const leader = await openNode({ socketFolder: folder, address: NOWHERE })
    expect(statSync(findSocket()).mode & 0o777).toBe(0o600)
    const follower = await openNode()
    await isLinked(follower.node)
    await buy(follower.node, 1)
    expect(follower.ran.count).toBe(0)
    await leader.node.close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('use the network where the socket cannot be opened', async () => {
    await openNode({ socketFolder: folder })
    rmSync(findSocket())
    const follower = await openNode()
    await isLinked(follower.node)
    await buy(follower.node, 1)
    expect(follower.ran.count).toBe(0)
  })

  it('clear away the socket of a node that was killed, and nothing else', async () => {
    const dead = join(folder, 'orders-0123abcd.sock')
    const server = createServer().listen(dead)
    await once(server, 'listening')
    const other = join(folder, 'other.sock')
    writeFileSync(other, '')
    const live = await openNode({ socketFolder: folder })
    expect(existsSync(dead)).toBe(true)
    // Leaves the file, as a killed process does: a closed server would remove it.
    const moved = join(folder, 'moved')
    renameSync(dead, moved)
    server.close()
    await once(server, 'close')
    renameSync(moved, dead)
    await openNode({ socketFolder: folder })
    expect(existsSync(dead)).toBe(false)
    expect(existsSync(other)).toBe(true)
    expect(readdirSync(folder)).toHaveLength(3)
    expect(live.node.getFigures().isLeading).toBe(true)
  })
})

describe('a network split between two nodes', () => {
  /** Stands between the nodes; may stop to pass anything on, and closes nothing. */
  async function startProxy(target: () => number) {
    const sockets = new Set<Socket>()
    let isCut = false
    const server = createServer((near) => {
      const far = dial(target(), '127.0.0.1')
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from)
        from.on('data', (bytes) => !isCut && to.write(bytes))
        from.on('error', () => {})
        from.on('close', () => !isCut && to.destroy())
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      setCut: (cut: boolean) => {
        isCut = cut
      },
      close: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }

  async function findFreePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  }

  it('loses and doubles no order: the follower runs them itself, and forwards again when it is over', async () => {
    const port = await findFreePort()
    const proxy = await startProxy(() => port)
    try {
      const { wrap, begun, release } = holdAnswers()
      const leader = await openNode({ wrap, address: proxy.address, listen: { host: '127.0.0.1', port } })
      const follower = await openNode()
      await isLinked(follower.node)
      const underWay = buy(follower.node, 1)
      await begun
      proxy.setCut(true)
      expect((await underWay).trade.seq).toBe(1)
      await Promise.all(players.map((_, i) => buy(follower.node, i)))
      expect(leader.node.getFigures().isLeading).toBe(true)
      expect(follower.node.getFigures()).toMatchObject({ isLinked: false, fallbacks: { lost: 1 } })
      const alone = follower.ran.count
      release()
      proxy.setCut(false)
      await isLinked(follower.node)
      await buy(follower.node, 2)
      expect(follower.ran.count).toBe(alone)
      const trades = await market.db.selectFrom('trades').select('id').execute()
      expect(trades).toHaveLength(players.length + 2)
      expect(await readBooks(market)).toEqual(balancedBooks('800'))
    } finally {
      proxy.close()
    }
  })
})
