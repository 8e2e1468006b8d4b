import { type FleetMember, RUG_NIGHT, toFairTemper } from '@papermoon/bots'
import type { Db, FairKind } from '@papermoon/db'
import type { MarketEvent, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type pg from 'pg'
import type { App } from '../context.ts'
import { SoleTask } from '../database/take-lock.ts'
import { findFairOfToken } from '../features/fairs/access.ts'
import { addFairTerms } from '../features/fairs/fair-account.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { type PeriodicJob, startPeriodicJob } from '../lib/periodic-job.ts'
import { BotTalk, type WriteLine } from './bot-talk.ts'
import { characters, type HouseApp, WorkingBots } from './working-bots.ts'

const CHECK_EVERY_MS = 1_000
/** How long a fair lasts by the bots' own clock, in ms. By the bots' clock, all fairs take equally long. */
const LIVED_MS = 2.5 * HOUR_MS
const SPEED_MIN = 0.25
const SPEED_MAX = 10
/**
 * How often on average a bot looks at the market, per second of its own time. With eight bots, an arena therefore has a
 * trade every one or two seconds.
 */
const LOOKS_PER_SECOND = 0.015

/** An open fair that house bots have entered. */
interface FairOfBots {
  readonly id: number
  readonly kind: FairKind
  readonly stake: number
  /** Speed at which a sandbox's bots trade. */
  readonly speed: number
  readonly lasts_ms: number
  readonly rugs: boolean
  readonly bots: number
}

interface FairBotsParts {
  readonly app: App
  readonly pool: pg.Pool
  readonly writeLine: WriteLine
}

/**
 * Lets house bots trade in all fairs that they have entered. Only one node at a time runs the demo world. If this node
 * ends, another one takes over.
 */
export function startFairBots({ app, pool, writeLine }: FairBotsParts): PeriodicJob {
  const fairs = app.market.fairs ?? app
  const bots = new FairBots(fairs, pool, new BotTalk(fairs, writeLine))
  const { timers, log } = app.platform
  const failed = (error: unknown) => log.warn({ err: error }, 'the bots could not look for fairs; retrying')
  const job = startPeriodicJob({ timers, everyMs: CHECK_EVERY_MS, failed }, (stopping) => bots.look(stopping))
  return {
    ...job,
    stop: async () => {
      await job.stop()
      await bots.close()
    },
  }
}

interface Playing {
  readonly bots: WorkingBots
  receive(event: MarketEvent): void
}

class FairBots {
  /** The app of the fairs' market. */
  readonly #app: App
  readonly #task: SoleTask
  readonly #talk: BotTalk
  readonly #playing = new Map<number, Playing>()
  #detach: (() => void) | null = null
  /** The promise resolves when the last event was passed on. Events are passed on to the bots one by one. */
  #passed: Promise<void> = Promise.resolve()

  constructor(app: App, pool: pg.Pool, talk: BotTalk) {
    this.#app = app
    this.#talk = talk
    this.#task = new SoleTask(pool, 'fairBots')
  }

  async look(stopping: AbortSignal): Promise<void> {
    const fairs = await findFairsOfBots(this.#app.platform.db)
    if (stopping.aborted) return
    if (fairs.length === 0 || !(await this.#task.isOurs())) return await this.close()
    this.#detach ??= this.#app.live.feed.onEvent((event) => {
      this.#passed = this.#passed.then(() => this.#pass(event)).catch(() => {})
    })
    const ids = new Set(fairs.map(({ id }) => id))
    await this.#end([...this.#playing.keys()].filter((id) => !ids.has(id)))
    for (const fair of fairs) {
      const playing = this.#playing.get(fair.id) ?? this.#begin(fair)
      this.#playing.set(fair.id, playing)
      playing.bots.keepWorking()
    }
  }

  async close(): Promise<void> {
    await this.#end([...this.#playing.keys()])
    this.#detach?.()
    this.#detach = null
    this.#task.leave()
  }

  async #end(ids: readonly number[]): Promise<void> {
    const ended = ids.map((id) => this.#playing.get(id))
    for (const id of ids) this.#playing.delete(id)
    await Promise.all(ended.map((playing) => playing?.bots.stop()))
  }

  /** Passes an event on to the bots in its fair. */
  async #pass(event: MarketEvent): Promise<void> {
    const fair = await findFairOfToken(this.#app, event.tokenId)
    if (fair !== null) this.#playing.get(fair.id)?.receive(event)
  }

  /** Starts a fair's bots. These bots see only the events of the fair and place orders only in this fair. */
  #begin(fair: FairOfBots): Playing {
    const app = this.#app
    const listeners = new Set<(event: MarketEvent) => void>()
    const market: HouseApp = {
      platform: app.platform,
      market: {
        engine: {
          submit: async (order) =>
            await app.market.engine.submit(await addFairTerms(app, { order, fairId: fair.id, isProgram: true })),
        },
      },
      live: {
        feed: {
          isHidden: (tokenId) => app.live.feed.isHidden(tokenId),
          onEvent: (listener) => {
            listeners.add(listener)
            return () => listeners.delete(listener)
          },
        },
      },
    }
    const bots = new WorkingBots(market, {
      fair: { id: fair.id, findMembers: () => findMembers(app.platform.db, fair) },
      speed: toSpeed(fair),
      looksPerSecond: LOOKS_PER_SECOND * fair.bots,
      // The bots need no loss limit, because they can lose only their stake.
      isBounded: false,
      // Bots do not post in a sandbox, because it is for programs.
      ...(fair.kind !== 'sandbox' && { talk: this.#talk }),
      ...(fair.rugs && { strategies: RUG_NIGHT }),
    })
    return {
      bots,
      receive: (event) => {
        for (const listener of listeners) listener(event)
      },
    }
  }
}

function toSpeed({ kind, speed, lasts_ms }: FairOfBots): number {
  return kind === 'sandbox' ? speed : Math.max(SPEED_MIN, Math.min(SPEED_MAX, LIVED_MS / lasts_ms))
}

async function findFairsOfBots(db: Db): Promise<FairOfBots[]> {
  const { rows } = await sql<FairOfBots>`
    select * from (
      select f.id, f.kind, f.stake::float8 as stake, f.speed, f.rugs,
             extract(epoch from f.ends_at - f.starts_at)::float8 * 1000 as lasts_ms,
             (select count(*)::int from fairs.accounts a join users u on u.id = a.user_id
               where a.fair_id = f.id and a.left_at is null and u.kind = 'house') as bots
        from fairs f where f.state = 'open' and f.id > 1 and f.bots > 0 and f.bell_at > clock_timestamp()
    ) f where f.bots > 0 order by id`.execute(db)
  return rows
}

async function findMembers(db: Db, { id, stake }: FairOfBots): Promise<readonly FleetMember[]> {
  const { rows } = await sql<{ userId: UserId; username: string; balance: number }>`
    select a.user_id as "userId", u.username, a.sol_balance::float8 as balance
      from fairs.accounts a join users u on u.id = a.user_id
     where a.fair_id = ${id} and a.left_at is null and u.kind = 'house' and u.standing = 'active'
     order by a.account_id`.execute(db)
  return rows.flatMap(({ username, ...account }) => {
    const character = characters.get(username)
    if (character === undefined) return []
    return [{ ...account, character: { ...character, temper: toFairTemper(character, stake) } }]
  })
}
