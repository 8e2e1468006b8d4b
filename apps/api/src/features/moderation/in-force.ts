import {
  type AnnounceInput,
  type BoundInForce,
  type BoundName,
  type Decided,
  MODERATION_BOUNDS,
  type SetBoundInput,
} from '@papermoon/contract/admin'
import type { Announcement } from '@papermoon/contract/site'
import type { Db } from '@papermoon/db'
import type { Clock, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App, AppPart } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { type Act, appendAct } from './log.ts'

export type Bounds = Readonly<Record<BoundName, number>>
const names = Object.keys(MODERATION_BOUNDS) as BoundName[]

interface InForceRow {
  readonly id: number
  readonly kind: 'announcement' | 'bound'
  readonly target_id: number
  readonly detail: string
  readonly words: string | null
}

/** The settings that operators have changed at run time. For each subject, the newest row of the log counts. */
class InForce {
  bounds: Bounds = toBounds([])
  announcement: Announcement | null = null
  readonly #db: Db
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #reading: Promise<void> = Promise.resolve()

  constructor({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db
    this.#clock = clock
  }

  /** Reads the moderation log again. Only one read runs at a time, so that an older result never arrives last. */
  refresh(): Promise<void> {
    const read = this.#reading.then(() => this.#read())
    this.#reading = read.catch(() => undefined)
    return read
  }

  async #read(): Promise<void> {
    const { rows } = await sql<InForceRow>`
      select distinct on (l.kind, l.target_id) l.id, l.kind, l.target_id, l.detail, w.words
        from moderation_log l left join moderation_words w on w.log_id = l.id
       where l.kind in ('announcement', 'bound') order by l.kind, l.target_id, l.id desc`.execute(this.#db)
    this.bounds = toBounds(rows)
    const announcement = toAnnouncement(rows, this.#clock.now())
    const isNews = announcement?.id !== this.announcement?.id
    this.announcement = announcement
    if (isNews) for (const onNews of this.#listeners) onNews()
  }

  /**
   * Yields the current announcement, unless its id is the one that the caller already knows (0 means none). Afterwards,
   * yields the announcement whenever it changes.
   */
  async *followAnnouncement(
    seen: number | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Announcement | null> {
    let sentId = seen
    let wake = () => {}
    const onNews = () => wake()
    signal?.addEventListener('abort', onNews)
    this.#listeners.add(onNews)
    try {
      while (!signal?.aborted) {
        const { announcement } = this
        const id = announcement?.id ?? 0
        if (id !== sentId) {
          sentId = id
          yield announcement
        } else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      signal?.removeEventListener('abort', onNews)
      this.#listeners.delete(onNews)
    }
  }
}

function toBounds(rows: readonly InForceRow[]): Bounds {
  const set = new Map(rows.filter(({ kind }) => kind === 'bound').map((row) => [row.target_id, row.detail]))
  const entries = names.map((name) => {
    const { id, usual } = MODERATION_BOUNDS[name]
    const detail = set.get(id)
    return [name, detail === undefined ? usual : (JSON.parse(detail) as { value: number }).value]
  })
  return Object.fromEntries(entries)
}

function toAnnouncement(rows: readonly InForceRow[], now: Date): Announcement | null {
  const row = rows.find(({ kind }) => kind === 'announcement')
  if (row === undefined || row.words === null || row.words === '') return null
  const { endsAt } = JSON.parse(row.detail) as { endsAt: string | null }
  if (endsAt !== null && new Date(endsAt) <= now) return null
  return { id: row.id, text: row.words, endsAt }
}

/** Returns the settings that are in force on this node. The settings are at most about a second behind the log. */
export function getInForce({ platform, market }: AppPart<'db' | 'clock' | 'memory'>): InForce {
  return market.memory.state(createInForce, platform)
}

function createInForce(parts: ConstructorParameters<typeof InForce>[0]): InForce {
  return new InForce(parts)
}

/** Reloads this node's settings. Called every second, and after an operator changed a setting on this node. */
export async function refreshInForce(app: App): Promise<void> {
  const { limits } = app.accounts
  const inForce = getInForce(app)
  await inForce.refresh()
  const { accountPosts, newAccountPosts, accountReports } = inForce.bounds
  limits.setAccountCalls('talk', accountPosts)
  limits.setAccountCalls('talk-new', newAccountPosts)
  limits.setAccountCalls('talk-report', accountReports)
}

/** Lists the limits that operators can change, with their values on this node. */
export function listBounds(app: App): BoundInForce[] {
  const { bounds } = getInForce(app)
  return (Object.keys(MODERATION_BOUNDS) as BoundName[]).map((bound) => {
    const { title, usual, min, max } = MODERATION_BOUNDS[bound]
    return { bound, title, value: bounds[bound], usual, min, max }
  })
}

/** Changes a limit on every node. The moderation log stores the new value. */
export async function setBound(app: App, userId: UserId, { bound, value, reason }: SetBoundInput): Promise<Decided> {
  const { id, title } = MODERATION_BOUNDS[bound]
  return await set(app, userId, {
    act: 'set-bound',
    kind: 'bound',
    targetId: id,
    detail: { value },
    words: `${title}: ${value}`,
    reason,
  })
}

/**
 * Shows an announcement on every page, or removes the current one. Throws `BadInputError` for an announcement that has
 * already ended.
 */
export async function announce(app: App, userId: UserId, input: AnnounceInput): Promise<Decided> {
  const { text, endsAt } = input
  if (endsAt !== undefined && endsAt <= app.platform.clock.now())
    throw new BadInputError('endsAt must be in the future.')
  return await set(app, userId, {
    act: text === null ? 'end-announcement' : 'announce',
    kind: 'announcement',
    targetId: 0,
    detail: { endsAt: endsAt?.toISOString() ?? null },
    words: text ?? '',
    reason: '',
  })
}

type Setting = Pick<Act, 'act' | 'kind' | 'targetId' | 'detail' | 'words' | 'reason'>

async function set(app: App, userId: UserId, setting: Setting): Promise<Decided> {
  const { db, clock } = app.platform
  const act: Act = { ...setting, actor: { userId, as: 'operator' }, concernedId: null, now: clock.now() }
  const logId = await db.transaction().execute((tx) => appendAct(tx, act))
  await refreshInForce(app)
  return { logId }
}
